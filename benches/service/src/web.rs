//! What others may ask.

use crate::ledger::{Ledger, LedgerError, Order};
use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use std::sync::Arc;
use tower_http::trace::TraceLayer;
use uuid::Uuid;

#[derive(Deserialize)]
struct Wanted {
    article: String,
    count: u32,
}

impl IntoResponse for LedgerError {
    fn into_response(self) -> Response {
        let status = match self {
            LedgerError::Full(_) => StatusCode::TOO_MANY_REQUESTS,
            LedgerError::Unknown(_) => StatusCode::NOT_FOUND,
        };
        (status, self.to_string()).into_response()
    }
}

pub fn router(ledger: Arc<Ledger>) -> Router {
    Router::new()
        .route("/orders", post(order))
        .route("/orders/{id}", get(one))
        .route("/statistics", get(statistics))
        .layer(TraceLayer::new_for_http())
        .with_state(ledger)
}

async fn order(State(ledger): State<Arc<Ledger>>, Json(wanted): Json<Wanted>) -> Result<Json<Order>, LedgerError> {
    ledger.order(wanted.article, wanted.count).await.map(Json)
}

async fn one(State(ledger): State<Arc<Ledger>>, Path(id): Path<Uuid>) -> Result<Json<Order>, LedgerError> {
    ledger.get(id).map(Json)
}

async fn statistics(State(ledger): State<Arc<Ledger>>) -> Json<Vec<(String, u32)>> {
    Json(ledger.statistics())
}
