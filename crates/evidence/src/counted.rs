//! A number and its noun.

use std::fmt::Display;

/// Returns the number with the noun for one, or for any other number.
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, one: &str, many: &str) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        let all = [0, 1, 2_usize].map(|number| counted(number, "trial", "trials"));
        assert_eq!(all, ["0 trials", "1 trial", "2 trials"]);
    }
}
