//! JSON Schemas (draft 2020-12) of the output of commands with `--json`; the files are in `docs/reference/schemas/`.

use serde::Serialize;

/// A JSON Schema of a command's output.
#[derive(Debug)]
pub struct Schema {
    /// Words of the command, joined by hyphens.
    pub name: &'static str,
    /// Version; raised when a property is removed or changes its meaning, but not when one is added.
    pub version: u32,
    /// Text of the schema file.
    pub text: &'static str,
}

macro_rules! schemas {
    ($($constant:ident: $name:literal, version $version:literal;)*) => {
        $(pub const $constant: Schema = Schema {
            name: $name,
            version: $version,
            text: include_str!(concat!("../../docs/reference/schemas/", $name, ".json")),
        };)*

        /// All schemas, in the order in which help lists the commands.
        pub const ALL: &[Schema] = &[$($constant),*];
    };
}

schemas! {
    DIAGNOSE: "diagnose", version 1;
    PROVE: "prove", version 1;
    TEST: "test", version 1;
    DIFFERS: "differs", version 1;
    FACTS: "facts", version 1;
    CALCULATE: "calculate", version 1;
    ADVISE: "advise", version 1;
    APPLY: "apply", version 1;
    UNDO: "undo", version 1;
    IMPORT: "import", version 1;
    RUN: "run", version 1;
    DRY_RUN: "dry-run", version 1;
    CHECK: "check", version 1;
    COMPARE: "compare", version 1;
    RERUN: "rerun", version 1;
    BISECT: "bisect", version 1;
    KERNEL_SHOW: "kernel-show", version 1;
    KERNEL_LIST: "kernel-list", version 1;
    DOCTOR: "doctor", version 1;
}

/// An output that begins with the name of its schema.
#[derive(Debug, Serialize)]
pub struct Output<'v, T: Serialize> {
    schema: String,
    #[serde(flatten)]
    value: &'v T,
}

impl Schema {
    /// Returns name and version, the first key of the output.
    pub fn id(&self) -> String {
        format!("goodput/{}/{}", self.name, self.version)
    }

    /// Returns the output for a value that serializes as an object.
    pub fn output<'v, T: Serialize>(&self, value: &'v T) -> Output<'v, T> {
        Output { schema: self.id(), value }
    }
}
