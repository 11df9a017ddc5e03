import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'

/** The connection's sealed keys do not open: the installation's secret changed, or the row was damaged. */
export const unreadableKeys = 'KEYS_UNREADABLE'

/** A number nobody can call for until it is connected again: each call is refused with this code, nothing leaves. */
export const unusableNumber = (code: string): WhatsAppNumber => {
  const refuse = async (): Promise<never> => {
    throw new WhatsAppError({ code, retry: 'credentials', message: 'the number has to be connected again' })
  }
  return {
    check: refuse,
    messagingLimit: refuse,
    catalogueIds: refuse,
    subscribe: refuse,
    send: refuse,
    markRead: refuse,
    setBlocked: refuse,
    controlThread: refuse,
    uploadFile: refuse,
    fetchMedia: refuse,
  }
}
