import type { Site } from '#client/app/facts.ts'
import type { FacebookScript } from './facebook-script.ts'

type Dialog = NonNullable<Site['facebook']>

declare global {
  interface Window {
    FB?: FacebookScript
  }
}

const locales = { es: 'es_LA', en: 'en_US' } as const

/** Loads Meta's script once. @throws when it cannot be loaded */
const fromMeta = (language: keyof typeof locales): Promise<FacebookScript> =>
  new Promise((resolve, reject) => {
    if (window.FB) return resolve(window.FB)
    const script = document.createElement('script')
    script.src = `https://connect.facebook.net/${locales[language]}/sdk.js`
    script.crossOrigin = 'anonymous'
    script.onload = () => (window.FB ? resolve(window.FB) : reject(new Error('It is not the script it should be')))
    script.onerror = () => {
      script.remove()
      reject(new Error('It did not come'))
    }
    document.head.append(script)
  })

/** The script with the dialog: Meta's or the simulator's. */
export async function loadScript(dialog: Dialog, language: keyof typeof locales): Promise<FacebookScript> {
  const { appId, version } = dialog
  const script = dialog.isSimulated
    ? (await import('./simulated-facebook.ts')).simulatedScript
    : await fromMeta(language)
  script.init({ appId, version, autoLogAppEvents: false, xfbml: false })
  return script
}

interface SignedUp {
  readonly code: string
  readonly phoneNumberId: string
}

const isMetas = (origin: string, dialog: Dialog) =>
  dialog.isSimulated ? origin === location.origin : /^https:\/\/([a-z0-9-]+\.)*facebook\.com$/.test(origin)

/** The number in a message of the dialog. Undefined: another message. */
const numberIn = (data: unknown): string | undefined => {
  if (typeof data !== 'string') return undefined
  try {
    const said = JSON.parse(data)
    const id = said?.type === 'WA_EMBEDDED_SIGNUP' && said.event?.startsWith('FINISH') && said.data?.phone_number_id
    return id ? String(id) : undefined
  } catch {
    return undefined
  }
}

/**
 * Shows the dialog. `'left'`: closed early; `'noNumber'`: finished without a number.
 * @see Meta, "Embedded Signup › Implementation"
 */
export const openDialog = (script: FacebookScript, dialog: Dialog): Promise<SignedUp | 'left' | 'noNumber'> =>
  new Promise(resolve => {
    let phoneNumberId: string | undefined
    const hear = ({ origin, data }: MessageEvent) => {
      if (isMetas(origin, dialog)) phoneNumberId = numberIn(data) ?? phoneNumberId
    }
    window.addEventListener('message', hear)
    script.login(
      ({ authResponse }) => {
        window.removeEventListener('message', hear)
        const code = authResponse?.code
        if (!code) return resolve('left')
        resolve(phoneNumberId === undefined ? 'noNumber' : { code, phoneNumberId })
      },
      {
        config_id: dialog.configId,
        response_type: 'code',
        override_default_response_type: true,
        extras: { setup: {}, sessionInfoVersion: '3' },
      },
    )
  })
