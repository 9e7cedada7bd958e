use super::*;
use proptest::prelude::*;

/// Extra hours of sleep of ten patients under two drugs (Student 1908, table).
const SLEEP: [[f64; 2]; 10] = [
    [0.7, 1.9],
    [-1.6, 0.8],
    [-0.2, 1.1],
    [-1.2, 0.1],
    [-0.1, -0.1],
    [3.4, 4.4],
    [3.7, 5.5],
    [0.8, 1.6],
    [0.0, 4.6],
    [2.0, 3.4],
];

fn sides() -> [Vec<f64>; 2] {
    [0, 1].map(|side| SLEEP.map(|pair| pair[side]).to_vec())
}

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within
}

#[track_caller]
pub(super) fn assert_near(found: f64, due: f64, within: f64) {
    assert!(near(found, due, within), "{found} is not {due} ± {within}");
}

mod differences {
    use super::*;

    #[test]
    fn students_sleep_data_as_pairs() {
        let pairs = Difference::paired(&SLEEP.map(|[a, b]| b - a)).unwrap();
        assert_near(pairs.value(), 1.58, 1e-12);
        assert_near(pairs.value() / pairs.error(), 4.0621, 5e-5);
        assert_eq!(pairs.freedom(), 9.0);
        assert_near(pairs.p(), 0.002833, 5e-7);
        assert_near(pairs.interval()[0], 0.7001142, 5e-8);
        assert_near(pairs.interval()[1], 2.4598858, 5e-8);
    }

    #[test]
    fn students_sleep_data_as_groups() {
        let [a, b] = sides();
        let groups = Difference::unpaired(&a, &b).unwrap();
        assert_near(groups.value() / groups.error(), 1.8608, 5e-5);
        assert_near(groups.freedom(), 17.776, 5e-4);
        assert_near(groups.p(), 0.07939, 5e-6);
        assert_near(groups.interval()[0], -0.2054832, 5e-8);
        assert_near(groups.interval()[1], 3.3654832, 5e-8);
    }

    #[test]
    fn equivalence_is_the_interval_of_90_percent_within_the_margin() {
        let pairs = Difference::paired(&SLEEP.map(|[a, b]| b - a)).unwrap();
        // t(0.95, 9) = 1.833113 (any table).
        let end = pairs.value() + 1.833113 * pairs.error();
        assert!(pairs.p_equivalent(end + 1e-4) < 0.05 && pairs.p_equivalent(end - 1e-4) > 0.05);
        assert_near(pairs.p_equivalent(1.58), 0.5, 1e-12);
    }

    #[test]
    fn needed_numbers_are_those_of_tables() {
        // Half a standard deviation, 80 %, 5 % two-sided: 34 pairs, 64 in each of two groups (R: power.t.test; Cohen 1988,
        // table 2.4.1).
        let half: Vec<f64> = [0.0, 1.0].map(|v| (v - 0.5) * 2_f64.sqrt() + 0.5).to_vec();
        let pairs = Difference::paired(&half).unwrap();
        assert_near(pairs.error() * 2_f64.sqrt(), 1.0, 1e-12);
        assert_eq!(pairs.needed(0.0), Some(34));
        let from = half.iter().map(|v| v - 0.5).collect::<Vec<f64>>();
        assert_eq!(Difference::unpaired(&from, &half).unwrap().needed(0.0), Some(64));
    }

    #[test]
    fn equivalence_needs_fewer_the_wider_the_margin() {
        let pairs = Difference::paired(&[-1.0, 0.0, 1.0]).unwrap();
        let needed: Vec<usize> = [0.25, 0.5, 1.0, 10.0].iter().map(|margin| pairs.needed(*margin).unwrap()).collect();
        // (z(0.95) + z(0.9))² / margin² = 8.56 / margin², and a few more for t (Chow, Shao, Wang 2008, section 3.1.3).
        assert_eq!(needed, [139, 36, 11, 2]);
        assert_eq!(pairs.needed(0.0), None, "no difference is ever told from none");
    }

    #[test]
    fn without_spread_all_is_exact() {
        let none = Difference::paired(&[0.0; 3]).unwrap();
        assert_eq!(
            (none.p(), none.p_equivalent(0.0), none.interval(), none.needed(0.1)),
            (1.0, 0.0, [0.0; 2], Some(2))
        );
        let some = Difference::paired(&[0.1; 3]).unwrap();
        assert_eq!((some.p(), some.interval(), some.needed(0.01)), (0.0, [0.1; 2], Some(2)));
        assert_eq!((some.p_equivalent(0.01), some.p_equivalent(0.2)), (1.0, 0.0));
        let groups = Difference::unpaired(&[2.0; 3], &[2.0; 4]).unwrap();
        assert_eq!((groups.p(), groups.freedom()), (1.0, 5.0));
        let one_side = Difference::unpaired(&[2.0; 3], &[1.0, 3.0, 5.0]).unwrap();
        assert_near(one_side.freedom(), 2.0, 1e-12);
    }

    #[test]
    fn too_few_or_unfit_values_are_no_difference() {
        assert_eq!(Difference::paired(&[]), None);
        assert_eq!(Difference::paired(&[1.0]), None);
        assert_eq!(Difference::paired(&[1.0, f64::NAN]), None);
        assert_eq!(Difference::paired(&[f64::MAX, f64::MIN]), None);
        assert_eq!(Difference::paired(&[1e-200, 2e-200]), None, "squares that doubles cannot hold");
        assert_eq!(Difference::unpaired(&[1.0], &[1.0, 2.0]), None);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_all_is_a_probability(
            a in prop::collection::vec(-1e12..1e12, 2..40), b in prop::collection::vec(-1e-3..1e-3, 2..40), margin in 0.0..1e12
        ) {
            let Some(difference) = Difference::unpaired(&a, &b) else { return Ok(()) };
            let shares = [difference.p(), difference.p_equivalent(margin)];
            prop_assert!(shares.iter().all(|p| (0.0..=1.0).contains(p)), "{shares:?}");
            let least = a.len().min(b.len()) as f64 - 1.0;
            prop_assert!(difference.freedom() >= least * (1.0 - 1e-9));
            prop_assert!(difference.freedom() <= (a.len() + b.len() - 2) as f64 * (1.0 + 1e-9));
            let [low, high] = difference.interval();
            prop_assert!(low <= difference.value() && difference.value() <= high);
            prop_assert_eq!(difference.p() <= ALPHA, low > 0.0 || high < 0.0);
            difference.needed(margin);
        }

        #[test]
        fn the_needed_number_is_the_first_that_suffices(values in prop::collection::vec(-1.0..2.0, 3..20), margin in 0.01..1.0) {
            let difference = Difference::paired(&values).unwrap();
            let more = Difference::paired(&[values.clone(), values].concat()).unwrap();
            let (few, many) = (difference.needed(margin), more.needed(margin));
            // The spread is nearly the same (n − 1), so the number is too.
            if let (Some(few), Some(many)) = (few, many) {
                prop_assert!(many <= few, "{many} of twice the values, {few}");
            }
        }
    }
}

mod comparisons {
    use super::*;

    fn pairs(a: &[f64], b: &[f64]) -> Vec<[f64; 2]> {
        a.iter().zip(b).map(|(a, b)| [*a, *b]).collect()
    }

    #[test]
    fn positive_values_are_compared_as_ratios() {
        let found = compare(Samples::Paired(&[[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]), MARGIN).unwrap();
        assert_eq!(found.scale, Scale::Ratio);
        assert_near(found.effect, 2.0, 1e-12);
        assert!(found.test.unwrap().p < 1e-12, "each pair has the same ratio");
        // Logarithms of A: 0, 1, 2 (base e), of B: 1, 2, 3: a difference of 1 with an error of √(2/3) on 4 degrees.
        let e = |power: f64| power.exp();
        let found = compare(Samples::Unpaired(&[e(0.0), e(1.0), e(2.0)], &[e(1.0), e(2.0), e(3.0)]), MARGIN).unwrap();
        assert_near(found.effect, e(1.0), 1e-12);
        let test = found.test.unwrap();
        assert_near(test.freedom, 4.0, 1e-9);
        // t(0.975, 4) = 2.776445 (any table).
        assert_near(test.interval[1], e(1.0 + 2.776445 * (2.0_f64 / 3.0).sqrt()), 1e-4);
    }

    #[test]
    fn zeros_make_it_a_relative_difference() {
        let (a, b) = ([0.0, 4.0, 8.0, 4.0], [1.0, 5.0, 9.0, 5.0]);
        let found = compare(Samples::Paired(&pairs(&a, &b)), MARGIN).unwrap();
        assert_eq!((found.scale, found.effect), (Scale::Relative, 0.25));
        // b − R·a with R = 5/4: 1, 0, −1, 0, over 4: a variance of 2/3 over 16, an error of √(1/96).
        let reach = 3.182446 / 96_f64.sqrt();
        let test = found.test.unwrap();
        assert_near(test.interval[0], 0.25 - reach, 1e-6);
        assert_near(test.interval[1], 0.25 + reach, 1e-6);
        // For groups: (var b + R² var a) / (4 · 16), both variances 32/3.
        let groups = compare(Samples::Unpaired(&a, &b), MARGIN).unwrap();
        let error = ((1.0 + 25.0 / 16.0) * 32.0 / 3.0 / 64.0_f64).sqrt();
        let reach = (groups.test.unwrap().interval[1] - 0.25) / error;
        assert!((2.4..2.6).contains(&reach), "t(0.975) of 5 to 6 degrees, not {reach}");
    }

    #[test]
    fn without_a_positive_mean_it_is_an_absolute_difference() {
        let found = compare(Samples::Unpaired(&[0.0, 0.0, 0.0], &[1.0, 2.0, 3.0]), MARGIN).unwrap();
        assert_eq!((found.scale, found.effect), (Scale::Absolute, 2.0));
        assert!(found.test.unwrap().p_equivalent > 0.5, "nothing is within a share of nothing");
        let same = compare(Samples::Paired(&[[0.0, 0.0]; 3]), MARGIN).unwrap();
        let test = same.test.unwrap();
        assert_eq!((same.scale, test.p, test.p_equivalent), (Scale::Absolute, 1.0, 0.0));
    }

    #[test]
    fn equal_values_are_exact() {
        let test = |a: f64, b: f64| compare(Samples::Unpaired(&[a; 3], &[b; 4]), MARGIN).unwrap().test.unwrap();
        assert_eq!((test(5.0, 5.0).p, test(5.0, 5.0).p_equivalent), (1.0, 0.0));
        assert_eq!((test(5.0, 6.0).p, test(5.0, 6.0).p_equivalent), (0.0, 1.0));
        assert_eq!((test(5.0, 5.05).p, test(5.0, 5.05).p_equivalent), (0.0, 0.0));
        assert_near(test(5.0, 6.0).interval[0], 1.2, 1e-12);
        let judged = |a, b| conclude(test(a, b).p, test(a, b).p_equivalent);
        assert_eq!(judged(5.0, 5.05), Conclusion::Equivalent, "told apart, and too near to matter");
        assert_eq!(judged(5.0, 6.0), Conclusion::Different);
        assert_eq!(conclude(f64::NAN, f64::NAN), Conclusion::Inconclusive);
    }

    #[test]
    fn one_value_each_is_an_effect_without_a_test() {
        for samples in [Samples::Paired(&[[2.0, 3.0]]), Samples::Unpaired(&[2.0], &[3.0])] {
            let found = compare(samples, MARGIN).unwrap();
            assert_near(found.effect, 1.5, 1e-12);
            assert_eq!(found.test, None);
        }
        assert_eq!(compare(Samples::Unpaired(&[2.0], &[3.0, 4.0]), MARGIN).unwrap().test, None);
    }

    #[test]
    fn samples_without_finite_statistics_are_not_compared() {
        let none = |samples| compare(samples, MARGIN).is_none();
        assert!(none(Samples::Paired(&[])) && none(Samples::Unpaired(&[1.0], &[])));
        assert!(none(Samples::Paired(&[[1.0, f64::NAN]])) && none(Samples::Unpaired(&[f64::INFINITY], &[1.0])));
        for margin in [0.0, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(compare(Samples::Paired(&[[1.0, 2.0]; 3]), margin), None);
        }
        assert!(
            compare(Samples::Unpaired(&[1e300, 2e300], &[1e-300, 2e-300]), MARGIN).is_some(),
            "logarithms hold all"
        );
        assert!(none(Samples::Unpaired(&[-1e308, 1e308], &[1e308, -1e308])));
    }

    #[test]
    fn pairs_with_a_common_cause_tell_more_than_groups() {
        let (a, b) = ([10.0, 20.0, 40.0, 80.0], [11.0, 21.8, 44.3, 87.9]);
        let p = |samples| compare(samples, MARGIN).unwrap().test.unwrap().p;
        let paired = pairs(&a, &b);
        assert!(p(Samples::Paired(&paired)) < 0.001 && p(Samples::Unpaired(&a, &b)) > 0.5);
    }

    fn positive(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(0.1..10.0, count)
    }

    proptest! {
        #[test]
        fn swapped_sides_invert_a_ratio_and_keep_the_rest(a in positive(2..12), b in positive(2..12)) {
            let at = |samples| compare(samples, MARGIN).unwrap();
            let paired = pairs(&a, &b);
            let swapped: Vec<[f64; 2]> = paired.iter().map(|[a, b]| [*b, *a]).collect();
            for (one, other) in [
                (at(Samples::Unpaired(&a, &b)), at(Samples::Unpaired(&b, &a))),
                (at(Samples::Paired(&paired)), at(Samples::Paired(&swapped))),
            ] {
                prop_assert!(near(one.effect * other.effect, 1.0, 1e-9));
                let (one, other) = (one.test.unwrap(), other.test.unwrap());
                prop_assert!(near(one.p, other.p, 1e-9) && near(one.p_equivalent, other.p_equivalent, 1e-9));
                prop_assert!(near(one.interval[0] * other.interval[1], 1.0, 1e-9));
            }
        }

        #[test]
        fn the_unit_does_not_matter(a in positive(2..12), b in positive(2..12), unit in 1e-9..1e9, zero: bool) {
            let with_zero = |values: &[f64]| values.iter().copied().chain(zero.then_some(0.0)).collect::<Vec<f64>>();
            let in_unit = |values: &[f64]| values.iter().map(|v| v * unit).collect::<Vec<f64>>();
            let (a, b) = (with_zero(&a), with_zero(&b));
            let one = compare(Samples::Unpaired(&a, &b), MARGIN).unwrap();
            let other = compare(Samples::Unpaired(&in_unit(&a), &in_unit(&b)), MARGIN).unwrap();
            prop_assert_eq!(one.scale, other.scale);
            prop_assert!(near(one.effect, other.effect, 1e-9 * one.effect.abs().max(1.0)));
            let (one, other) = (one.test.unwrap(), other.test.unwrap());
            prop_assert!(near(one.p, other.p, 1e-9));
            prop_assert!(one.interval.iter().zip(&other.interval).all(|(a, b)| near(*a, *b, 1e-9 * a.abs().max(1.0))));
        }

        #[test]
        fn the_effect_is_in_its_interval(a in prop::collection::vec(0.0..5.0, 2..9), b in prop::collection::vec(0.0..5.0, 2..9)) {
            let found = compare(Samples::Unpaired(&a, &b), MARGIN).unwrap();
            let [low, high] = found.test.unwrap().interval;
            prop_assert!(low <= found.effect && found.effect <= high);
        }
    }
}

mod estimates {
    use super::*;

    const GROWING: [f64; 7] = [10.0, 11.0, 13.0, 16.0, 20.0, 25.0, 31.0];

    #[test]
    fn fewer_than_five_values_have_no_interval() {
        assert_eq!(estimate(&[], Centre::Mean), None);
        assert_eq!(estimate(&[], Centre::Median), None);
        for count in 1..MIN_FOR_INTERVAL {
            for centre in [Centre::Mean, Centre::Median] {
                let found = estimate(&GROWING[..count], centre).unwrap();
                assert_eq!((found.interval, found.count), (None, count));
            }
        }
        assert!(estimate(&GROWING[..MIN_FOR_INTERVAL], Centre::Mean).unwrap().interval.is_some());
        assert_eq!(
            estimate(&GROWING[..MIN_FOR_INTERVAL], Centre::Median).unwrap().interval,
            Some([10.0, 20.0]),
            "the range"
        );
    }

    #[test]
    fn centres_are_mean_and_median() {
        assert_eq!(estimate(&GROWING, Centre::Mean).unwrap().value, 18.0);
        assert_eq!(estimate(&GROWING, Centre::Median).unwrap().value, 16.0);
        assert_eq!(estimate(&GROWING[..4], Centre::Median).unwrap().value, 12.0);
        assert_eq!(estimate(&[7.0], Centre::Median).unwrap().value, 7.0);
    }

    #[test]
    fn a_median_lies_between_interpolated_order_statistics() {
        // Ten values: ranks 2 and 9 cover 1 − 2·11/1024 = 0.978516, 3 and 8 1 − 2·56/1024 = 0.890625. I = 0.324444,
        // λ = 8·I / (2 + 6·I) = 0.657658 (Hettmansperger & Sheather 1986, their formula by hand).
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        let [low, high] = estimate(&ten, Centre::Median).unwrap().interval.unwrap();
        assert_near(low, 2.657658, 1e-6);
        assert_near(high, 8.342342, 1e-6);
        // Six: ranks 1 and 6 cover 0.96875, 2 and 5 0.78125: I = 0.1, λ = 0.5 / 1.4.
        let [low, high] = estimate(&ten[..6], Centre::Median).unwrap().interval.unwrap();
        assert_near(low, 1.0 + 0.5 / 1.4, 1e-9);
        assert_near(high, 6.0 - 0.5 / 1.4, 1e-9);
    }

    #[test]
    fn an_interval_of_many_values_is_the_normal_one() {
        let many: Vec<f64> = (0..20_000).map(|n| f64::from(n) + 0.5).collect();
        let [low, high] = estimate(&many, Centre::Median).unwrap().interval.unwrap();
        let reach = 1.959964 * 20_000_f64.sqrt() / 2.0;
        assert_near(low, 10_000.0 - reach, 1.0);
        assert_near(high, 10_000.0 + reach, 1.0);
        let few = &many[..1000];
        let [low, high] = estimate(few, Centre::Mean).unwrap().interval.unwrap();
        let reach = 1.962 * 1000.0 / 12_f64.sqrt() / 1000_f64.sqrt();
        assert_near(low, 500.0 - reach, 0.1 * reach);
        assert_near(high, 500.0 + reach, 0.1 * reach);
    }

    #[test]
    fn the_mean_of_skewed_values_reaches_further_to_their_long_side() {
        let found = estimate(&[1.0, 1.1, 1.2, 1.4, 1.7, 2.1, 3.0, 9.0], Centre::Mean).unwrap();
        let [low, high] = found.interval.unwrap();
        assert!(high - found.value > 1.5 * (found.value - low), "{found:?}");
    }

    #[test]
    fn equal_values_have_an_interval_without_width() {
        for centre in [Centre::Mean, Centre::Median] {
            for value in [0.0, 0.1, -3.0, f64::MAX, f64::MIN_POSITIVE] {
                let found = estimate(&[value; 7], centre).unwrap();
                assert_eq!((found.value, found.interval), (value, Some([value; 2])));
            }
        }
    }

    #[test]
    fn values_that_are_not_finite_give_no_estimate() {
        for centre in [Centre::Mean, Centre::Median] {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(estimate(&[1.0, 2.0, 3.0, 4.0, bad], centre), None);
            }
        }
        let huge = [f64::MIN, f64::MIN, 0.0, f64::MAX, f64::MAX];
        assert_eq!(estimate(&huge, Centre::Mean), None);
        assert_eq!(estimate(&huge, Centre::Median).unwrap().value, 0.0);
        let tiny = [1e-300, 2e-300, 3e-300, 4e-300, 5e-300];
        assert_eq!(estimate(&tiny, Centre::Mean).unwrap().interval, None, "their squares are all 0");
        assert_eq!(estimate(&tiny, Centre::Median).unwrap().value, 3e-300);
    }

    #[test]
    fn zeros_and_an_outlier_have_an_interval() {
        let found = estimate(&[0.0, 0.0, 0.0, 0.0, 1.0], Centre::Mean).unwrap();
        let [low, high] = found.interval.unwrap();
        assert!(low < 0.2 && 0.2 < high && high.is_finite(), "{found:?}");
    }

    #[test]
    fn an_estimate_is_narrow_by_its_wider_side() {
        let at = |value, low, high| Estimate { value, interval: Some([low, high]), count: 9 };
        assert!(at(100.0, 98.0, 102.0).is_narrow(0.02) && !at(100.0, 98.0, 103.0).is_narrow(0.02));
        assert!(!at(100.0, 97.0, 102.0).is_narrow(0.02) && at(-100.0, -102.0, -98.0).is_narrow(0.02));
        assert!(at(0.0, 0.0, 0.0).is_narrow(0.02) && !at(0.0, -1e-9, 0.0).is_narrow(0.02));
        assert!(!Estimate { value: 1.0, interval: None, count: 1 }.is_narrow(0.5));
    }

    #[test]
    fn the_method_names_what_is_done() {
        assert!(Centre::Mean.method().contains(&format!("{} resamples", bootstrap::RESAMPLES)));
        for centre in [Centre::Mean, Centre::Median] {
            assert!(centre.method().ends_with(&format!("{} %", LEVEL * 100.0)));
        }
    }

    fn sample() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop_oneof![-1e3..1e3, Just(0.0), Just(1e6)], 1..40)
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_estimate(values in sample(), median: bool) {
            let found = estimate(&values, if median { Centre::Median } else { Centre::Mean }).unwrap();
            prop_assert_eq!(found.interval.is_some(), values.len() >= MIN_FOR_INTERVAL);
            if let Some([low, high]) = found.interval {
                prop_assert!(low <= found.value && found.value <= high, "{:?}", found);
                let equal = values.iter().all(|v| *v == values[0]);
                prop_assert!(!equal || low == high);
                prop_assert!(equal || median || low < high);
            }
        }

        #[test]
        fn the_order_does_not_matter(mut values in sample(), median: bool) {
            let centre = if median { Centre::Median } else { Centre::Mean };
            let found = estimate(&values, centre);
            values.reverse();
            let half = values.len() / 2;
            values.rotate_left(half);
            prop_assert_eq!(estimate(&values, centre), found);
        }

        #[test]
        fn unit_and_origin_do_not_matter(values in prop::collection::vec(0.0..1.0, 5..20), unit in 1e-6..1e12, origin in -5.0..5.0) {
            let other: Vec<f64> = values.iter().map(|v| (v + origin) * unit).collect();
            for centre in [Centre::Mean, Centre::Median] {
                let [low, high] = estimate(&values, centre).unwrap().interval.unwrap();
                let [other_low, other_high] = estimate(&other, centre).unwrap().interval.unwrap();
                prop_assert!(near(other_low, (low + origin) * unit, 1e-6 * unit));
                prop_assert!(near(other_high, (high + origin) * unit, 1e-6 * unit));
            }
        }
    }
}

mod many {
    use super::*;

    #[test]
    fn holm_by_hand() {
        // Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, and none below the one before it.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, due) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert_near(*found, due, 1e-12);
        }
        assert_eq!(holm(&[]), [0.0; 0]);
        assert_eq!(holm(&[0.04]), [0.04]);
        assert_eq!(holm(&[0.9, 0.8, f64::NAN]), [1.0; 3]);
    }

    proptest! {
        #[test]
        fn holm_keeps_order_and_never_lessens(p in prop::collection::vec(0.0..=1.0, 0..20)) {
            let adjusted = holm(&p);
            for i in 0..p.len() {
                prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
                }
            }
            let least = p.iter().copied().fold(f64::INFINITY, f64::min);
            let found = adjusted.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(p.is_empty() || found == (least * p.len() as f64).min(1.0), "the smallest is Bonferroni's");
        }
    }
}

mod shares {
    use super::*;

    #[test]
    fn exact_intervals_of_tables() {
        // R: binom.test(5, 10), binom.test(0, 10), binom.test(1, 20), binom.test(95, 100).
        for (successes, trials, low, high) in [
            (5, 10, 0.1870860, 0.8129140),
            (0, 10, 0.0, 0.3084971),
            (10, 10, 0.6915029, 1.0),
            (1, 20, 0.001265089, 0.2487328),
            (95, 100, 0.8871651, 0.9835681),
        ] {
            let [found_low, found_high] = binomial_interval(successes, trials, 0.95).unwrap();
            assert_near(found_low, low, 5e-8);
            assert_near(found_high, high, 5e-8);
        }
    }

    #[test]
    fn nothing_in_n_trials_is_bounded_by_three_over_n() {
        // 1 − 0.05^(1/n), the rule of three (Hanley & Lippman-Hand 1983).
        for trials in [1, 10, 1000, 100_000] {
            let due = 1.0 - 0.05_f64.powf(1.0 / trials as f64);
            assert_near(binomial_upper(0, trials, 0.95).unwrap() / due, 1.0, 1e-5);
        }
        assert_eq!(binomial_upper(7, 7, 0.95), Some(1.0));
    }

    #[test]
    fn impossible_shares_have_no_bound() {
        assert_eq!(binomial_upper(0, 0, 0.95), None);
        assert_eq!(binomial_interval(3, 2, 0.95), None);
        for level in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(binomial_upper(1, 2, level), None);
            assert_eq!(binomial_interval(1, 2, level), None);
        }
    }

    proptest! {
        #[test]
        fn the_share_is_in_its_interval(trials in 1..100_000_u64, part in 0.0..=1.0) {
            let successes = (trials as f64 * part) as u64;
            let [low, high] = binomial_interval(successes, trials, 0.95).unwrap();
            let share = successes as f64 / trials as f64;
            prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
            prop_assert!(binomial_upper(successes, trials, 0.95).unwrap() <= high);
            let far = 5.0 * (share * (1.0 - share) / trials as f64).sqrt() + 10.0 / trials as f64;
            prop_assert!(high - share < far && share - low < far);
        }
    }
}
