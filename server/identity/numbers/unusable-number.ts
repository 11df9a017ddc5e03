import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'

/** The connection's secrets cannot be decrypted: the installation's secret changed, or the row is damaged. */
export const unreadableKeys = 'KEYS_UNREADABLE'

/** A number that must be connected again. Every call fails with this code, and nothing is sent. */
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
