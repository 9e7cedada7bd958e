//! Expressions of templates: numbers, names, `+ - * / ^`, comparisons, and functions, evaluated over intervals.
//!
//! ```text
//! comparison = sum [("<" | ">") sum]        1 if true, 0 if false, 0 to 1 if it may be either
//! sum        = product {("+" | "-") product}
//! product    = power {("*" | "/") power}
//! power      = atom ["^" number]
//! atom       = number | "inf" | name | name "(" comparison {"," comparison} ")" | "(" comparison ")"
//! ```

use super::interval::Interval;
use super::table::Formula;
use base::suggest::suggest;
use evidence::fault::{Fault, Span};
use evidence::unit::Wrong;

/// Longest expression, bytes.
pub const MAX_BYTES: usize = 2_000;

/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 40;

/// Functions that are no formula of the table: name, arguments, meaning.
const BUILT_IN: &[(&str, usize, Function)] = &[
    ("min", 2, Function::Min),
    ("max", 2, Function::Max),
    ("between", 2, Function::Between),
    ("at_least", 1, Function::AtLeast),
    ("if", 3, Function::If),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Min,
    Max,
    /// Anything from the first to the second.
    Between,
    /// Anything from its lower end on.
    AtLeast,
    /// The second where the first is true, the third where it is false, either where that is open.
    If,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Below,
    Above,
}

#[derive(Debug, Clone)]
enum Node {
    Number(f64),
    /// A name, by its place in the list of names.
    Name(usize),
    Power(Box<Node>, f64),
    Binary(Operator, Box<[Node; 2]>),
    BuiltIn(Function, Vec<Node>),
    Formula(&'static Formula, Vec<Node>),
}

/// An expression that was read.
#[derive(Debug, Clone)]
pub struct Expression {
    root: Node,
    text: String,
}

impl Expression {
    /// Reads an expression over these names. The fault's span is within `text`.
    pub fn parse(text: &str, names: &[&str]) -> Result<Expression, Fault> {
        let mut parser = Parser { text, at: 0, names, depth: 0 };
        if text.len() > MAX_BYTES {
            return Err(parser.fault(0..0, Wrong::new(format!("the formula is longer than {MAX_BYTES} bytes"))));
        }
        let root = parser.comparison()?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.unexpected("an operator: + - * / ^ < >"));
        }
        Ok(Expression { root, text: text.to_owned() })
    }

    /// Returns its value over the values of the names.
    pub fn value(&self, values: &[Interval]) -> Interval {
        self.root.value(values)
    }

    /// Returns its text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

const FALSE: Interval = Interval::exactly(0.0);
const TRUE: Interval = Interval::exactly(1.0);

impl Node {
    fn value(&self, values: &[Interval]) -> Interval {
        match self {
            Node::Number(number) => Interval::exactly(*number),
            Node::Name(at) => values[*at],
            Node::Power(base, exponent) => base.value(values).power(*exponent),
            Node::Binary(operator, sides) => {
                let [a, b] = [sides[0].value(values), sides[1].value(values)];
                match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    Operator::Over => a / b,
                    Operator::Below => is_below(a, b),
                    Operator::Above => is_below(b, a),
                }
            }
            Node::BuiltIn(function, arguments) => {
                let of = |at: usize| arguments[at].value(values);
                match function {
                    Function::Min => of(0).min(of(1)),
                    Function::Max => of(0).max(of(1)),
                    Function::Between => Interval::new(of(0).low, of(1).high),
                    Function::AtLeast => Interval { low: of(0).low, high: f64::INFINITY },
                    Function::If => match of(0) {
                        yes if yes.low > 0.0 => of(1),
                        no if no.high <= 0.0 => of(2),
                        _ => of(1).hull(of(2)),
                    },
                }
            }
            Node::Formula(formula, arguments) => {
                formula.over(&arguments.iter().map(|argument| argument.value(values)).collect::<Vec<_>>())
            }
        }
    }
}

fn is_below(a: Interval, b: Interval) -> Interval {
    match (a.high < b.low, a.low >= b.high) {
        (true, _) => TRUE,
        (_, true) => FALSE,
        _ => Interval { low: 0.0, high: 1.0 },
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    names: &'t [&'t str],
    depth: usize,
}

impl Parser<'_> {
    fn comparison(&mut self) -> Result<Node, Fault> {
        let left = self.sum()?;
        for (sign, operator) in [('<', Operator::Below), ('>', Operator::Above)] {
            if self.takes(sign) {
                return Ok(Node::Binary(operator, Box::new([left, self.sum()?])));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Node, Fault> {
        self.chain([('+', Operator::Plus), ('-', Operator::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Node, Fault> {
        self.chain([('*', Operator::Times), ('/', Operator::Over)], Self::power)
    }

    fn chain(
        &mut self,
        operators: [(char, Operator); 2],
        part: fn(&mut Self) -> Result<Node, Fault>,
    ) -> Result<Node, Fault> {
        let mut left = part(self)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.takes(*sign)) {
            left = Node::Binary(*operator, Box::new([left, part(self)?]));
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Node, Fault> {
        let base = self.atom()?;
        if !self.takes('^') {
            return Ok(base);
        }
        self.blanks();
        match self.number()? {
            Some(exponent) => Ok(Node::Power(Box::new(base), exponent)),
            None => Err(self.unexpected("a number as the exponent")),
        }
    }

    fn atom(&mut self) -> Result<Node, Fault> {
        self.blanks();
        let start = self.at;
        if self.takes('(') {
            return self.deeper(start, |parser| {
                let inner = parser.comparison()?;
                parser.due(')')?;
                Ok(inner)
            });
        }
        if let Some(number) = self.number()? {
            return Ok(Node::Number(number));
        }
        let rest = &self.text[start..];
        let end = rest.find(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_')).unwrap_or(rest.len());
        let name = &rest[..end];
        if name.is_empty() {
            return Err(self.unexpected("a number, a name or a bracket"));
        }
        self.at += end;
        if self.takes('(') {
            return self.deeper(start, |parser| parser.call(name, start..start + end));
        }
        if name == "inf" {
            return Ok(Node::Number(f64::INFINITY));
        }
        match self.names.iter().position(|known| *known == name) {
            Some(at) => Ok(Node::Name(at)),
            None => {
                let wrong = suggest(Wrong::new(format!("no name {name}")), name, self.names.iter().copied());
                Err(self.fault(start..start + end, wrong))
            }
        }
    }

    fn call(&mut self, name: &str, span: Span) -> Result<Node, Fault> {
        let mut arguments = vec![self.comparison()?];
        while self.takes(',') {
            arguments.push(self.comparison()?);
        }
        self.due(')')?;
        let built_in = BUILT_IN.iter().find(|(known, ..)| *known == name);
        let formula = Formula::find(name);
        let due = built_in.map(|(_, count, _)| *count).or(formula.map(|formula| formula.parameters.len()));
        let Some(due) = due else {
            let formulas = super::table::FORMULAS.iter().map(|formula| formula.name.replace('-', "_"));
            let known: Vec<String> = BUILT_IN.iter().map(|row| row.0.to_owned()).chain(formulas).collect();
            let wrong = suggest(Wrong::new(format!("no function {name}")), name, known.iter().map(String::as_str));
            return Err(self.fault(span, wrong));
        };
        if due != arguments.len() {
            let takes = formula.map_or(String::new(), |formula| {
                let names: Vec<&str> = formula.parameters.iter().map(|parameter| parameter.name).collect();
                format!(": {}", names.join(", "))
            });
            let wrong = Wrong::new(format!("{name} has {} values, and takes {due}{takes}", arguments.len()));
            return Err(self.fault(span, wrong));
        }
        Ok(match (built_in, formula) {
            (Some((_, _, function)), _) => Node::BuiltIn(*function, arguments),
            (None, Some(formula)) => Node::Formula(formula, arguments),
            (None, None) => Node::Number(0.0),
        })
    }

    fn deeper(&mut self, start: usize, inner: impl FnOnce(&mut Self) -> Result<Node, Fault>) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let wrong = Wrong::new(format!("brackets are nested deeper than {MAX_DEPTH}"));
            return Err(self.fault(start..start + 1, wrong));
        }
        let node = inner(self);
        self.depth -= 1;
        node
    }

    fn number(&mut self) -> Result<Option<f64>, Fault> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
            return Ok(None);
        }
        let mut end = 0;
        for (at, sign) in rest.char_indices() {
            let is_sign = matches!(sign, '+' | '-') && rest[..at].ends_with('e');
            if !(sign.is_ascii_digit() || matches!(sign, '.' | 'e') || is_sign) {
                break;
            }
            end = at + sign.len_utf8();
        }
        let (start, written) = (self.at, &rest[..end]);
        self.at += end;
        match written.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(self.fault(start..start + end, Wrong::new(format!("{written} is not a number")))),
        }
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn takes(&mut self, sign: char) -> bool {
        self.blanks();
        let is_there = self.text[self.at..].starts_with(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    fn due(&mut self, sign: char) -> Result<(), Fault> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("{sign}"))) }
    }

    fn unexpected(&self, due: &str) -> Fault {
        let sign = self.text[self.at..].chars().next();
        let end = self.at + sign.map_or(0, char::len_utf8);
        let what = sign.map_or("the formula ends too soon".into(), |sign| format!("{sign} is not expected here"));
        self.fault(self.at..end, Wrong::new(what).accepted(due))
    }

    fn fault(&self, span: Span, wrong: Wrong) -> Fault {
        Fault { span, wrong }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, names: &[(&str, f64, f64)]) -> [f64; 2] {
        let known: Vec<&str> = names.iter().map(|name| name.0).collect();
        let values: Vec<Interval> = names.iter().map(|name| Interval::new(name.1, name.2)).collect();
        let result = Expression::parse(text, &known).unwrap().value(&values);
        [result.low, result.high]
    }

    #[test]
    fn expressions_match_hand_arithmetic() {
        assert_eq!(value("1 + 2 * 3", &[]), [7.0, 7.0]);
        assert_eq!(value("(1 + 2) * 3 / 2", &[]), [4.5, 4.5]);
        assert_eq!(value("10 - 2 - 3", &[]), [5.0, 5.0]);
        assert_eq!(value("x ^ 2 * 2e3", &[("x", 1.0, 3.0)]), [2e3, 18e3]);
        assert_eq!(
            value("min(line, 8 * w / rtt)", &[("line", 1e6, 1e6), ("w", 1e3, 2e4), ("rtt", 0.1, 0.2)]),
            [4e4, 1e6]
        );
        assert_eq!(value("between(0.5, 2) * 4", &[]), [2.0, 8.0]);
        assert_eq!(value("at_least(w * 0.5)", &[("w", 4.0, 6.0)]), [2.0, f64::INFINITY]);
        let choice = "if(a < b, 1, 5)";
        assert_eq!(value(choice, &[("a", 1.0, 2.0), ("b", 3.0, 4.0)]), [1.0, 1.0]);
        assert_eq!(value(choice, &[("a", 4.0, 5.0), ("b", 3.0, 4.0)]), [5.0, 5.0]);
        assert_eq!(value(choice, &[("a", 1.0, 5.0), ("b", 3.0, 4.0)]), [1.0, 5.0]);
        assert_eq!(value("window_rate(65536, 0.1)", &[]), [5_242_880.0, 5_242_880.0]);
    }

    #[test]
    fn wrong_formulas_say_where_and_what() {
        let fault = |text: &str| {
            let fault = Expression::parse(text, &["rtt", "mss"]).unwrap_err();
            (fault.span.start, fault.wrong.what, fault.wrong.hint.unwrap_or_default())
        };
        assert_eq!(fault("8 * mms"), (4, "no name mms".into(), "write \"mss\"".into()));
        assert_eq!(fault("cubik(mss, rtt, 1)"), (0, "no function cubik".into(), "write \"cubic\"".into()));
        assert_eq!(fault("cubic(mss, rtt)").1, "cubic has 2 values, and takes 3: mss, rtt, p");
        assert_eq!(fault("(1 + 2").1, "the formula ends too soon");
        assert_eq!(fault("1 + ;").1, "; is not expected here");
        assert_eq!(fault("rtt ^ mss").1, "m is not expected here");
        assert_eq!(fault(&"(".repeat(60)).1, "brackets are nested deeper than 40");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-+*/^<>(),. a-z0-9_é]{0,60}|.*") {
            if let Ok(expression) = Expression::parse(&text, &["rtt", "mss", "p"]) {
                expression.value(&[Interval::ANY; 3]);
            }
        }
    }
}
