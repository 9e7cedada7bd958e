//! Guest kernels: fetched, patched, configured, built and kept.
//!
//! A kernel is a function of its inputs: the source, goodput's config fragment, patches and module, the compiler and
//! the recipe. A hash over all of them names its folder in the cache. So nothing is built twice, and measurements with
//! a kernel can be repeated. People use a name for a kernel, by default its version.
//!
//! Reading order: [`add`] has the flow; `source` and `apt` find the kernel's source, and `store` holds the files of all
//! sources; `recipe` has goodput's changes, `additions` the user's; `build` runs the commands; `cache` keeps the
//! results.

mod add;
mod additions;
mod apt;
mod build;
mod cache;
mod command;
mod config;
mod congestion;
mod entry;
mod error;
mod fence;
mod freebsd;
mod progress;
mod recipe;
mod source;
mod store;
#[cfg(test)]
mod tests;
mod tools;

pub use add::{AddError, AddKernelRequest, add};
pub use additions::{Addition, Additions, AdditionsError, FreeBsd, Given, Module, Text};
pub use apt::AptError;
pub use build::BuildError;
pub use cache::{Cache, CacheError, FindError, Listing, RemoveError, clean, find, find_current, list, place, remove};
pub use entry::{Damage, Entry};
pub use error::{FileError, Full};
pub use freebsd::{FreeBsdError, Stack};
pub use progress::Progress;
pub use recipe::{Recipe, RecipeError};
pub use source::{Source, SourceError, SourceRecord};
pub use store::StoreError;
pub use tools::find_program;
pub use tools::{Tool, Toolchain, ToolsError};
