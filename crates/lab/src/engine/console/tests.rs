//! Consoles of guests that `goodput/tests/modules/misbehaving` broke.

use super::fault;

fn messages_in(console: &str) -> Vec<String> {
    fault(console).into_iter().take(3).collect()
}

#[test]
fn a_division_by_zero_is_named_with_its_function() {
    let said = ["Kernel panic - not syncing: Kernel mode signal 8 (SIGFPE, division by zero)"];
    assert_eq!(messages_in(include_str!("divide.log")), [said[0], "at bad_divide_cong_avoid+0x16/0x30"]);
}

#[test]
fn a_bug_is_named_with_its_line() {
    let said = messages_in(include_str!("bug.log"));
    assert_eq!(said[0], "BUG: failure at drivers/goodput/misbehaving/bad_bug.c:8/bad_bug_cong_avoid()!");
    assert_eq!(said[1], "Kernel panic - not syncing: BUG!");
}

#[test]
fn a_warning_ends_a_guest_with_its_place() {
    let said = fault(include_str!("zero.log"));
    assert!(said[0].ends_with("at bad_zero_cong_avoid+0x4d/0x50, CPU#0: swapper/0/0"), "{said:?}");
    assert!(said.contains(&"at bad_zero_cong_avoid+0x4d/0x50".to_owned()), "{said:?}");
    assert!(!said.iter().any(|line| line.contains("vpanic") || line.contains("__warn")), "{said:?}");
}

#[test]
fn a_fault_in_a_function_called_by_tcp_is_told_by_its_callers() {
    let said = messages_in(include_str!("null.log"));
    assert_eq!(said[..2], ["Kernel panic - not syncing: Segfault with no mm", "at tcp_ack+0xfa9/0x1a20"]);
}

#[test]
fn a_console_without_a_fault_is_shown_at_its_end() {
    let lines: Vec<String> = (0..20).map(|number| format!("line {number}")).collect();
    assert_eq!(fault(&lines.join("\n")), lines[10..]);
    assert_eq!(fault(""), [""; 0]);
}
