import { webhookLimitBytes } from '#shared/kernel/limits.ts'

/** Meta's limit of contact cards in one message. */
const cards = 257

/** Messages whose contact cards fill a webhook, by the content of the cards. */
export const cardMessages = (from: string): Record<string, string> => {
  const charsPerCard = Math.floor(webhookLimitBytes / cards) - 200
  const messageOf = (part: string) =>
    `{"id":"wamid.cards","from":"${from}","timestamp":"1795179600","type":"contacts","contacts":[${Array.from({ length: cards }, () => part).join(',')}]}`
  const lines = (line: string) => {
    const written = JSON.stringify(line).slice(1, -1)
    return messageOf(`{"vcard":"${written.repeat(Math.floor(charsPerCard / written.length))}"}`)
  }
  const phone = '{"phone":"+5491155550000","wa_id":"5491155550000"}'
  return {
    'cards of numbers': lines('TEL:+5491155550000\n'),
    'cards of empty lines': lines('\n'),
    'cards of addresses': lines(`ADR:${';a'.repeat(1000)}\n`),
    'cards of numbers as JSON': messageOf(`{"phones":[${Array.from({ length: 50 }, () => phone).join(',')}]}`),
  }
}
