//! `schema`.

use crate::{Failure, values};
use base::suggest::suggest;
use evidence::unit::Wrong;
use goodput::{file_schema, schema};

pub fn execute(name: Option<&str>) -> Result<u8, Failure> {
    let Some(name) = name else {
        file_schema::ALL.iter().for_each(|file| out!("{:12}  {}", file.name, file.about));
        schema::ALL.iter().for_each(|schema| out!("{:12}  {}", schema.name, schema.id()));
        return Ok(0);
    };
    let of_file = file_schema::ALL.iter().find(|file| file.name == name).map(|file| (file.document)());
    let of_output = || schema::ALL.iter().find(|schema| schema.name == name).map(schema::Schema::document);
    let Some(document) = of_file.or_else(of_output) else {
        let names = file_schema::ALL.iter().map(|file| file.name).chain(schema::ALL.iter().map(|schema| schema.name));
        return Err(Failure(values::words(suggest(Wrong::new(format!("no schema {name}")), name, names))));
    };
    out!("{document:#}");
    Ok(0)
}
