/** Views that stand above the list of conversations, with their counts. */
export const maxShownViews = 6

/** Returns the views that are shown above the list, private ones first. */
export const shownViews = <V extends { readonly shared: boolean }>(views: readonly V[]): V[] =>
  [...views.filter(({ shared }) => !shared), ...views.filter(({ shared }) => shared)].slice(0, maxShownViews)
