import { lazyDialog } from './lazy-dialog.tsx'

/** `ConfirmDialog`, loaded with the code of dialogs when it first opens. */
export const LazyConfirm = lazyDialog(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}))
