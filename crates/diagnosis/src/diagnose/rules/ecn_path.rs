use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use base::show::{self, share};
use evidence::Seen;
use evidence::ecn::{Ecn, Feedback, Transit};

/// Smallest share of ECN-capable payload that arrives so if nothing clears the field: a device that clears it clears
/// all.
const MIN_ECN_ARRIVAL_SHARE: f64 = 0.5;
/// Smallest number of segments in a capture that shows whether any is ECN-capable.
const MIN_SEGMENTS: u64 = 100;

/// The rule.
pub const RULE: Rule = Rule {
    name: "ecn-path",
    title: "ECN does not get through",
    needs: &[],
    model: "Both ends have to agree on ECN in SYN and SYN-ACK, and the path has to leave the field in the IP header as it is, but \
            for marks. Where either fails a queue drops what it could mark, and L4S's low-latency queue is not used. AccECN's SYN-ACK \
            and its acknowledgment say how the field of the packet before arrived, and its option how much payload arrived with \
            each value.",
    source: "RFC 3168, 6.1.1 and 18; RFC 9768, 3.1.2 and 3.2.2.3",
    thresholds: || {
        vec![
            (
                "a SYN that asks for ECN, and a SYN-ACK that does not agree".into(),
                "the other end, or something before it, refuses it",
            ),
            (
                "a SYN or SYN-ACK with ECN without an answer, and one without it that has one".into(),
                "something drops the first",
            ),
            ("a field of the handshake that arrives as no router may make it".into(), "RFC 3168, section 18"),
            (
                format!(
                    "less than {} of the payload that was sent ECN-capable arrives so",
                    show::plain_share(MIN_ECN_ARRIVAL_SHARE)
                ),
                "what clears the field clears it on all packets of a way",
            ),
            (
                "AE, CWR and ECE that are never set though AccECN was agreed on".into(),
                "the counter begins at 5: something clears the flags",
            ),
            (
                format!("ECN agreed on and, in {} segments at the receiver, none that is ECN-capable", MIN_SEGMENTS),
                "something clears the field, or the sender does not set it",
            ),
        ]
    },
    confidence: "high where the other end said what arrived; medium where a packet without an answer, or the receiver's capture \
                 alone, tells",
    confirm: &[
        "tcpdump -v 'tcp[tcpflags] & tcp-syn != 0' at both ends: flags and tos of the same packets",
        "tracebox, or traceroute with ECT set: the hop behind which the field is another",
    ],
    alike: &[("void-setting", "DCTCP was chosen, and ECN never asked for")],
    explains: &[],
    remedies: remedies::ecn_path,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(|flow| find_in_flow(flow, flow.seen.ecn_detail.as_ref()?)).collect()
}

fn find_in_flow(flow: &Flow, ecn: &Ecn) -> Option<Finding> {
    let place = &flow.seen.place;
    let (confidence, says, figure) = refused(ecn).or_else(|| mangled(ecn)).or_else(|| cleared(flow, ecn))?;
    let finding = Finding::note(RULE.name, confidence, says).at(figure.0, figure.1, place);
    Some(finding.about_flow(flow).with_remedies(remedies::ecn_path(&Default::default())))
}

/// Confidence, sentence, and a figure with its value.
type Found = (Confidence, String, (&'static str, String));

fn refused(ecn: &Ecn) -> Option<Found> {
    let asked = ecn.asked.filter(|asked| *asked != Feedback::None && ecn.agreed == Some(Feedback::None))?;
    let asked = if asked == Feedback::Accurate { "AccECN" } else { "ECN" };
    Some(match ecn.withdrawn {
        false => (
            Confidence::High,
            format!("{asked} was asked for and refused: queues drop what they could mark."),
            ("SYN-ACK", "does not agree to ECN".into()),
        ),
        true => (
            Confidence::Medium,
            format!(
                "{asked} was requested and given up: a SYN or SYN-ACK with it got no answer, the next one without it \
                 did. Each such packet costs a timeout of a second or more."
            ),
            ("handshake", "sent again without ECN".into()),
        ),
    })
}

fn mangled(ecn: &Ecn) -> Option<Found> {
    let named = [("SYN", ecn.syn), ("SYN-ACK", ecn.syn_ack)];
    let (packet, Transit { captured, arrived }) =
        named.into_iter().find_map(|(packet, transit)| Some((packet, transit.filter(|one| one.is_mangled())?)))?;
    let [captured, arrived] = [captured, arrived].map(|one| one.word());
    let says = format!(
        "The path changes the ECN field: a {packet} that was captured with {captured} arrived with {arrived}. Marks do not get \
         through, or are made up."
    );
    Some((Confidence::High, says, ("ECN field of the handshake", format!("{captured}, then {arrived}"))))
}

fn cleared(flow: &Flow, ecn: &Ecn) -> Option<Found> {
    let heard = ecn.heard;
    if heard.is_some_and(|heard| heard.marked.is_none()) {
        let says = "AccECN was agreed on, but AE, CWR and ECE are 0 in all acknowledgments: something on their way clears them, and \
                    the sender does not hear of marks.";
        return Some((Confidence::High, says.into(), ("ACE field", "0 all the time".into())));
    }
    let data = ecn.data.filter(|data| data.all() >= MIN_SEGMENTS)?;
    let capable = data.ect() as f64 / data.all() as f64;
    let bytes = heard.and_then(|heard| heard.bytes).zip(flow.seen.bytes);
    if let Some((bytes, all)) = bytes.filter(|_| flow.seen.seen == Seen::Sender && capable > MIN_ECN_ARRIVAL_SHARE) {
        let arrived = bytes.all() as f64 / all;
        let says = format!(
            "The path clears the ECN field: {} of the segments are sent ECN-capable, but only {} of the payload \
             arrives so. Queues after that point drop packets that they could mark.",
            share(capable),
            share(arrived)
        );
        let figure = ("payload that arrives ECN-capable", share(arrived));
        return (arrived < MIN_ECN_ARRIVAL_SHARE).then_some((Confidence::High, says, figure));
    }
    let agreed = ecn.agreed.is_some_and(|agreed| agreed != Feedback::None);
    let none = agreed && flow.seen.seen == Seen::Receiver && data.ect() == 0;
    let says = "ECN was agreed on, but no segment arrives ECN-capable: something clears the field, or the sender does not set it.";
    none.then(|| (Confidence::Medium, says.into(), ("segments that arrive ECN-capable", "none".into())))
}
