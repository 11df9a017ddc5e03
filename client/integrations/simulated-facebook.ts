import { paths } from '#shared/kernel/paths.ts'
import type { FacebookScript } from './facebook-script.ts'

/** The simulated dialog's message to the page that opened it. */
export interface DialogEnd {
  readonly type: 'simulator.login'
  /** Null: cancelled. */
  readonly code: string | null
}

const isEnd = (data: unknown): data is DialogEnd =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'simulator.login'

const closedLookMs = 300

let appId = ''

/** Stands in for Meta's script, with a dialog of this installation. */
export const simulatedScript: FacebookScript = {
  init(options) {
    appId = options.appId
  },
  login(done) {
    // `/org/{slug}/…`
    const slug = decodeURIComponent(location.pathname.split('/')[2] ?? '')
    const address = `${paths.simulatedDialog(slug)}?client_id=${encodeURIComponent(appId)}`
    const dialog = window.open(address, 'facebook', 'popup,width=560,height=640')
    const end = (code: string | null) => {
      clearInterval(look)
      window.removeEventListener('message', hear)
      done({ authResponse: code === null ? null : { code } })
    }
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === dialog && isEnd(data)) end(data.code)
    }
    window.addEventListener('message', hear)
    // Closing a window emits no event to its opener.
    const look = setInterval(() => {
      if (!dialog || dialog.closed) end(null)
    }, closedLookMs)
  },
}
