import { lazyDialog } from './lazy-dialog.tsx'

/** `ConfirmDialog`, with all that draws dialogs, once somebody is asked something. */
export const LazyConfirm = lazyDialog(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}))
