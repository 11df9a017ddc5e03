import { SnackbarProvider, useSnackbar } from 'notistack'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxToasts, noticeToastMs, toastMs } from '#shared/kernel/limits.ts'
import { dragAway } from '../page/drag-away.ts'
import { Icon } from '../pictures/icon.tsx'
import { createToastPlaces } from './toast-places.ts'
import { setToastHost, type Toast } from './toasts.tsx'

/** Closes the toast around it when it is dragged away, or on Escape while it has the focus. */
const Goes = ({ close }: { close(): void }) => {
  const mark = useRef<HTMLSpanElement>(null)
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    const box = mark.current?.closest<HTMLElement>('.notistack-MuiContent')
    if (!box) return
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current()
    }
    box.addEventListener('keydown', press)
    const letGo = dragAway(box, () => latest.current())
    return () => {
      box.removeEventListener('keydown', press)
      letGo()
    }
  }, [])
  return <span ref={mark} hidden />
}

const Actions = ({ toast, close }: { toast: Toast; close(): void }) => {
  const { t } = useTranslation()
  const { action } = toast
  return (
    <>
      <Goes close={close} />
      {action ? (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            close()
            action.onClick()
          }}
          dir="auto"
        >
          {action.label}
        </button>
      ) : null}
      {toast.closable || toast.durationMs === null ? (
        <button type="button" className="toast-close" aria-label={t('close')} onClick={close}>
          <Icon name="close" />
        </button>
      ) : null}
    </>
  )
}

const Words = ({ toast: { text, detail } }: { toast: Toast }) =>
  detail ? (
    <span className="toast-words">
      <strong dir="auto">{text}</strong>
      <span dir="auto">{detail}</span>
    </span>
  ) : (
    <span dir="auto">{text}</span>
  )

/** The toast after the focused one; without one, the newest. */
const nextToast = (): HTMLElement | undefined => {
  const all = [...document.querySelectorAll<HTMLElement>('.notistack-Snackbar')]
  const here = all.findIndex(one => one.contains(document.activeElement))
  return here < 0 ? all.at(-1) : (all[here - 1] ?? all.at(-1))
}

/**
 * Alt+T moves the focus to the toasts, pressed again to the next one. Escape closes the focused one and returns the
 * focus.
 */
const useToastKey = () => {
  useEffect(() => {
    let before: Element | null = null
    const press = (event: KeyboardEvent) => {
      const isInside = document.activeElement?.closest('.notistack-Snackbar')
      if (event.altKey && event.code === 'KeyT' && !event.ctrlKey && !event.metaKey) {
        const next = nextToast()
        if (!next) return
        event.preventDefault()
        if (!isInside) before = document.activeElement
        const target = next.querySelector<HTMLElement>('button, a[href]') ?? next
        if (target === next) next.tabIndex = -1
        target.focus()
      } else if (event.key === 'Escape' && isInside && before instanceof HTMLElement) before.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const durationOf = ({ position }: Toast) => (position === 'top-right' ? noticeToastMs : toastMs)

/**
 * Raises toasts above everything: the browser draws what opened last on top, so a dialog would cover a toast that it
 * shows.
 */
const lift = (layer: HTMLElement) => {
  if (layer.contains(document.activeElement)) return
  if (layer.matches(':popover-open')) layer.hidePopover()
  layer.showPopover()
}

/**
 * On a phone the toast is shown at the top only while a message is written, which it would cover at the bottom;
 * otherwise it would cover the heading.
 */
const isOnTop = ({ position }: Toast): boolean =>
  position === 'top-right' &&
  (matchMedia('(min-width: 768px)').matches ||
    [...document.querySelectorAll('[enterkeyhint="send"]')].some(field => field.checkVisibility()))

function Bridge({ layer }: { layer: HTMLElement }) {
  useToastKey()
  const { enqueueSnackbar, closeSnackbar } = useSnackbar()
  useEffect(() => {
    const places = createToastPlaces<Toast>(maxToasts, {
      show: (id, toast) => {
        lift(layer)
        enqueueSnackbar(<Words toast={toast} />, {
          key: id,
          anchorOrigin: { vertical: isOnTop(toast) ? 'top' : 'bottom', horizontal: 'right' },
          variant: toast.kind ?? 'default',
          autoHideDuration: toast.durationMs === undefined ? durationOf(toast) : toast.durationMs,
          action: () => <Actions toast={toast} close={() => closeSnackbar(id)} />,
          onClose: () => places.closed(id),
        })
      },
      hide: id => closeSnackbar(id),
    })
    setToastHost({ show: places.add, dismiss: places.dismiss })
    return () => setToastHost(undefined)
  }, [layer, enqueueSnackbar, closeSnackbar])
  return null
}

/** App toasts: bottom right, 5 s; notifications: top right, as long as the library has it; three at a time. */
export default function NotistackHost() {
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  return (
    <div ref={setLayer} popover="manual" className="toasts">
      {layer ? (
        <SnackbarProvider
          domRoot={layer}
          // Toasts that are leaving are still counted beside the new ones.
          maxSnack={2 * maxToasts}
          autoHideDuration={noticeToastMs}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          classes={{ containerAnchorOriginTopRight: 'toasts-below-header' }}
        >
          <Bridge layer={layer} />
        </SnackbarProvider>
      ) : null}
    </div>
  )
}
