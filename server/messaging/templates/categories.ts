/** Categories of templates, for sums of what was sent. */
export { findCategories } from './category-store.ts'
