use super::*;
use crate::project::documents::shapes_of;
use ra_ap_syntax::Edition;

fn shown(sources: &[(&str, &str)]) -> Vec<String> {
    let trees: Vec<_> = sources.iter().map(|it| SourceFile::parse(it.1, Edition::CURRENT).tree()).collect();
    let shapes: Vec<Shape> = trees.iter().flat_map(shapes_of).collect();
    let files: Vec<_> = sources.iter().zip(&trees).map(|(it, tree)| (Some(it.0.to_owned()), of(tree))).collect();
    let show = |endpoint: &Endpoint| {
        let segment = |it: &PathSegment| match it {
            PathSegment::Text(text) => String::from_utf8_lossy(text).into_owned(),
            other => format!("{other:?}"),
        };
        let path: Vec<String> = endpoint.path.iter().map(segment).collect();
        let texts = |what: &str, texts: &[Box<[u8]>]| {
            texts.first().map(|it| format!(" {what} {}", String::from_utf8_lossy(it))).unwrap_or_default()
        };
        format!(
            "{} /{}{}{}{}",
            String::from_utf8_lossy(&endpoint.method),
            path.join("/"),
            texts("query", &endpoint.queries),
            texts("json", &endpoint.documents),
            texts("form", &endpoint.forms)
        )
    };
    endpoints(&files, &shapes).iter().map(show).collect()
}

#[test]
fn axum() {
    let main = r#"
        fn app() -> Router {
            Router::new()
                .route("/", get(index))
                .route("/notes", get(list).post(add))
                .route("/notes/{id}", delete(remove).put(|Path((id, _)): Path<(u32, String)>| async {}))
                .nest("/users", users::routes())
                .nest("/admin", Router::new().route("/stop", post(stop)))
                .fallback(get(index))
                .with_state(state)
        }
        async fn index() {}
        async fn list(Query(page): Query<Page>) {}
        async fn add(State(state): State<Shared>, Json(note): Json<Note>) {}
        async fn remove(Path(id): Path<Uuid>) {}
        #[derive(Deserialize)] struct Page { from: usize }
        #[derive(Deserialize)] struct Note { text: String }
        mod inline { pub fn routes() -> Router { Router::new().route("/deep", get(|url| async { client.get(url) })) } }
        fn more() -> Router { Router::new().nest("/inline", inline::routes()) }
        fn last() -> Router {
            let api = Router::new().route("/v", get(index));
            let all = Router::new().nest("/v2", Router::new().nest("/api", api));
            Router::new().nest("/all", all)
        }
        fn other() { map.get("/key"); client.post("/a").body(text); }
    "#;
    let users = r#"pub fn routes() -> Router { Router::new().route("/:name", get(show)) } async fn show() {}"#;
    assert_eq!(
        shown(&[("main", main), ("users", users), ("other", r#"fn routes() { x.route("/odd", any(y)) }"#)]),
        [
            " /odd",
            "DELETE /notes/Uuid",
            "GET /",
            "GET /all/v2/api/v",
            "GET /inline/deep",
            "GET /notes query from=2",
            "GET /users/Word",
            "POST /admin/stop",
            "POST /notes json {\"text\":\"a\"}",
            "PUT /notes/Number",
        ]
    );
}

#[test]
fn actix_web() {
    let source = r#"
        #[get("/notes")] async fn list() {}
        #[actix_web::post("/notes")] async fn add(note: web::Json<Note>) {}
        #[route("/both", method = "GET", method = "PUT")] async fn both() {}
        async fn shown(path: web::Path<u32>, form: web::Form<Note>) {}
        #[derive(Deserialize)] struct Note { text: String }
        fn configure(config: &mut web::ServiceConfig) {
            config.service(web::scope("/api").service(list).route("/{index}", web::get().guard(x).to(shown)))
                .service(web::resource("/files/{name}").route(web::put().to(add)).route(web::head().to(list)));
        }
    "#;
    assert_eq!(
        shown(&[("main", source)]),
        [
            "GET /api/notes",
            "GET /api/Number form text=a",
            "GET /both",
            "HEAD /files/Word",
            "POST /notes json {\"text\":\"a\"}",
            "PUT /both",
            "PUT /files/Word json {\"text\":\"a\"}",
        ]
    );
}

#[test]
fn others() {
    let source = r#"
        #[get("/<id>?<q>")] fn show(id: usize) {}
        #[post("/", data = "<note>")] fn add(note: Json<Note>) {}
        #[derive(Deserialize)] struct Note { text: String }
        fn main() {
            rocket::build().mount("/notes", routes![show, add]);
            app.at("/tide").get(|_| async { Ok("") }).post(handle);
            Route::new().at("/poem/:id", get(handle));
            router.get("/salvo", handle);
        }
        fn serve() { match (request.method(), request.uri().path()) { (&Method::DELETE, "/hyper") => {} _ => {} } }
    "#;
    assert_eq!(
        shown(&[("main", source)]),
        [
            "DELETE /hyper",
            "GET /notes/Number",
            "GET /poem/Word",
            "GET /salvo",
            "GET /tide",
            "POST /notes json {\"text\":\"a\"}",
            "POST /tide",
        ]
    );
}
