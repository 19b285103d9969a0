//! What the client can do.

use crate::positions::Encoding;
use serde_json::Value;

/// What the client can do, as far as the server cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features {
    /// How positions count columns.
    pub(crate) encoding: Encoding,
    /// It shows related information.
    pub(crate) related: bool,
    /// It shows links to the descriptions of rules.
    pub(crate) code_description: bool,
    /// It asks for diagnostics, and can be told when to ask again: findings come long after an edit. They are not
    /// published then.
    pub(crate) pulls: bool,
    /// It reports files that change on disk.
    pub(crate) watcher: bool,
    /// It can be asked for its settings.
    pub(crate) settings: bool,
    /// It wants to hear of changes of its settings only if the server registers for them.
    pub(crate) settings_registration: bool,
    /// It shows progress that the server begins.
    pub(crate) progress: bool,
    /// It can be told to ask for code lenses again.
    pub(crate) lens_refresh: bool,
    /// It wants to hear what the server is doing.
    pub(crate) status: bool,
}

impl Features {
    /// Those that the parameters of `initialize` state.
    pub(crate) fn of(params: &Value) -> Features {
        let capabilities = params.get("capabilities").unwrap_or(&Value::Null);
        let is = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or_default();
        // The specification and some of its libraries differ.
        let refreshes = is("/workspace/diagnostics/refreshSupport") || is("/workspace/diagnostic/refreshSupport");
        let pulls = capabilities.pointer("/textDocument/diagnostic").is_some_and(Value::is_object);
        // Told to ask again, Neovim 0.12 asks for the whole workspace only, and drops what it hears of open files.
        let is_neovim = params.pointer("/clientInfo/name").is_some_and(|name| name == "Neovim");
        Features {
            encoding: Encoding::negotiated(capabilities.pointer("/general/positionEncodings")),
            related: is("/textDocument/publishDiagnostics/relatedInformation")
                || is("/textDocument/diagnostic/relatedInformation"),
            code_description: is("/textDocument/publishDiagnostics/codeDescriptionSupport")
                || is("/textDocument/diagnostic/codeDescriptionSupport"),
            pulls: pulls && refreshes && !is_neovim,
            watcher: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            settings: is("/workspace/configuration"),
            settings_registration: is("/workspace/didChangeConfiguration/dynamicRegistration"),
            progress: is("/window/workDoneProgress"),
            lens_refresh: is("/workspace/codeLens/refreshSupport"),
            status: is("/experimental/serverStatusNotification"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn diagnostics_are_pulled_if_the_client_can_be_told_of_new_ones() {
        let pulls = |capabilities: Value| Features::of(&json!({ "capabilities": capabilities })).pulls;
        let can = json!({ "dynamicRegistration": true });
        assert!(pulls(
            json!({ "textDocument": { "diagnostic": can }, "workspace": { "diagnostics": { "refreshSupport": true } } })
        ));
        assert!(pulls(
            json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostic": { "refreshSupport": true } } })
        ));
        assert!(!pulls(json!({ "textDocument": { "diagnostic": can } })));
        assert!(!pulls(json!({ "workspace": { "diagnostics": { "refreshSupport": true } } })));
        assert_eq!(Features::of(&Value::Null), Features::default());
        let capabilities =
            json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } });
        let named = |name: &str| Features::of(&json!({ "clientInfo": { "name": name }, "capabilities": capabilities }));
        assert!(named("code").pulls && !named("Neovim").pulls);
    }
}
