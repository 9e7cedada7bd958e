//! Lists that many trials share.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list that its clones share until one of them changes, because the seeds of a point differ little.
#[derive(Debug, Clone)]
pub struct Shared<T>(Arc<Vec<T>>);

impl<T: PartialEq> Shared<T> {
    /// Shares the other's list if both are equal.
    pub fn share(&mut self, other: &Shared<T>) {
        if self == other {
            self.0 = Arc::clone(&other.0);
        }
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared(Arc::default())
    }
}

impl<T> Deref for Shared<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Shared<T> {
        Shared(Arc::new(list))
    }
}

impl<T> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Shared<T> {
        Vec::from_iter(items).into()
    }
}

impl<'s, T> IntoIterator for &'s Shared<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shared<T>, D::Error> {
        Vec::deserialize(deserializer).map(Shared::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_in_one_alone() {
        let list: Shared<u32> = vec![1, 2].into();
        let mut other = list.clone();
        assert!(Arc::ptr_eq(&list.0, &other.0));
        other[0] = 7;
        assert_eq!((&list[..], &other[..]), (&[1, 2][..], &[7, 2][..]));
        other.share(&list);
        assert_eq!(other[0], 7, "another list stays");
        other[0] = 1;
        other.share(&list);
        assert!(Arc::ptr_eq(&list.0, &other.0));
    }
}
