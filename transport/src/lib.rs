//! QUIC congestion control in virtual time: Indigo, its expert and its training, and quinn's own controllers.

pub mod controllers;
pub mod credentials;
pub mod evaluation;
pub mod indigo;
pub mod live;
pub mod network;
pub mod training;
