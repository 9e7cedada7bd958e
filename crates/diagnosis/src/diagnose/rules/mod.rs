//! All rules: a file and a row of the table for each.

mod application_limited;
mod bufferbloat;
mod cached_metrics;
mod checksum_errors;
mod cpu_bound;
mod cross_traffic;
mod damaged_frames;
mod duplex_mismatch;
mod ecn_marks;
mod ecn_path;
mod few_samples;
mod idle_restart;
mod loss_response;
mod mtu_black_hole;
mod nagle_delayed_ack;
mod offload_forwarding;
mod outage;
mod packet_length;
mod policer;
mod radio_link;
mod rate_cap;
mod receive_autotuning;
mod receiver_not_reading;
mod receiver_window;
mod reordering;
mod rtt_unfairness;
mod send_buffer;
mod shallow_buffer;
mod short_flows;
mod slow_start_exit;
mod slow_start_overshoot;
mod sysctl_units;
mod tcp_over_tcp;
mod timeouts;
mod tunnel_mtu;
mod void_setting;
mod window_or_buffer;

use super::rule::Rule;
pub use rate_cap::shaped_line;

/// All rules; causes come before their consequences.
pub const RULES: &[&Rule] = &[
    &offload_forwarding::RULE,
    &duplex_mismatch::RULE,
    &damaged_frames::RULE,
    &checksum_errors::RULE,
    &packet_length::RULE,
    &tunnel_mtu::RULE,
    &tcp_over_tcp::RULE,
    &mtu_black_hole::RULE,
    &outage::RULE,
    &radio_link::RULE,
    &receiver_not_reading::RULE,
    &cpu_bound::RULE,
    &sysctl_units::RULE,
    &receive_autotuning::RULE,
    &receiver_window::RULE,
    &send_buffer::RULE,
    &window_or_buffer::RULE,
    &application_limited::RULE,
    &nagle_delayed_ack::RULE,
    &idle_restart::RULE,
    &short_flows::RULE,
    &slow_start_exit::RULE,
    &slow_start_overshoot::RULE,
    &cached_metrics::RULE,
    &reordering::RULE,
    &policer::RULE,
    &ecn_marks::RULE,
    &timeouts::RULE,
    &shallow_buffer::RULE,
    &cross_traffic::RULE,
    &bufferbloat::RULE,
    &loss_response::RULE,
    &rtt_unfairness::RULE,
    &void_setting::RULE,
    &ecn_path::RULE,
    &rate_cap::RULE,
    &few_samples::RULE,
];

/// Returns a rule's title by its name.
pub fn title(name: &'static str) -> &'static str {
    RULES.iter().find(|rule| rule.name == name).map_or(name, |rule| rule.title)
}
