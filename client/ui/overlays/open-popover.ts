/** Elements that Escape closes. Toasts are excluded, because they are always open. */
export const openPopover = ':popover-open:not([popover="manual"]), dialog[open]'
