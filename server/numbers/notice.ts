import type { ConnectionStatus } from '#shared/numbers.ts'
import { displayPhone } from '#shared/phone-display.ts'

/** What owners and admins are told when the number stops working, in the product's first language and as `words` for the others. */
export const noticeOf = (
  status: Exclude<ConnectionStatus, 'connected'>,
  phone: string,
  code: string,
): { title: string; message: string; words: { key: string; params: Record<string, string> } } => {
  const number = displayPhone(phone) || phone
  const params = { number, code }
  return status === 'reauthorise'
    ? {
        title: 'Hay que volver a conectar WhatsApp',
        message: `Meta ya no acepta la clave de acceso de ${number} (código ${code}). No sale ningún mensaje hasta que se cambie en la conexión.`,
        words: { key: 'reauthorise', params },
      }
    : {
        title: 'Meta restringió el número de WhatsApp',
        message: `Meta bloqueó o restringió la cuenta de ${number} (código ${code}). Revisá el estado de la cuenta en Meta.`,
        words: { key: 'blocked', params },
      }
}
