interface Placed {
  readonly key?: string | undefined
  readonly durationMs?: number | null | undefined
}

/** A toast with a longer duration calls somebody to a customer: it waits for its place and is never dropped. */
const callMs = 60_000
const isCall = ({ durationMs }: Placed): boolean => durationMs === null || (durationMs ?? 0) >= callMs

interface Shown<T> {
  readonly id: number
  readonly toast: T
}

/**
 * Decides which toasts are visible, `most` at a time. A call without a place waits until a toast closes. Other toasts
 * appear at once, in place of the oldest of their kind, otherwise of the newest call, which returns afterwards.
 */
export function createToastPlaces<T extends Placed>(
  most: number,
  { show, hide }: { show(id: number, toast: T): void; hide(id: number): void },
) {
  let shown: readonly Shown<T>[] = []
  let waiting: readonly T[] = []
  let count = 0
  const place = (toast: T) => {
    count += 1
    shown = [...shown, { id: count, toast }]
    show(count, toast)
  }
  const take = (one: Shown<T>) => {
    shown = shown.filter(other => other !== one)
    hide(one.id)
  }
  const isKnown = ({ key }: T) =>
    key !== undefined && [...shown.map(({ toast }) => toast), ...waiting].some(one => one.key === key)
  const fill = () => {
    const [next, ...rest] = waiting
    if (!next || shown.length >= most) return
    waiting = rest
    place(next)
    fill()
  }
  return {
    add(toast: T) {
      if (isKnown(toast)) return
      if (shown.length >= most) {
        if (isCall(toast)) {
          waiting = [...waiting, toast]
          return
        }
        const makesRoom = shown.find(one => !isCall(one.toast)) ?? shown.at(-1)
        if (makesRoom) take(makesRoom)
        if (makesRoom && isCall(makesRoom.toast)) waiting = [makesRoom.toast, ...waiting]
      }
      place(toast)
    },
    /** A toast was closed by a person, or its time has ended. */
    closed(id: number) {
      // A toast that `take` hid is not listed any more.
      if (!shown.some(one => one.id === id)) return
      shown = shown.filter(one => one.id !== id)
      fill()
    },
    dismiss(key: string) {
      waiting = waiting.filter(toast => toast.key !== key)
      const one = shown.find(({ toast }) => toast.key === key)
      if (one) take(one)
      fill()
    },
  }
}
