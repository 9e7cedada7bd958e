//! `schema`.

use crate::{Failure, values};
use evidence::unit::Wrong;
use goodput::schema;
use goodput::suggest::suggest;

pub fn execute(name: Option<&str>) -> Result<u8, Failure> {
    let Some(name) = name else {
        schema::ALL.iter().for_each(|schema| out!("{:12}  {}", schema.name, schema.id()));
        return Ok(0);
    };
    let Some(schema) = schema::ALL.iter().find(|schema| schema.name == name) else {
        let names = schema::ALL.iter().map(|schema| schema.name);
        return Err(Failure(values::words(suggest(Wrong::new(format!("no schema {name}")), name, names))));
    };
    out!("{:#}", schema.document());
    Ok(0)
}
