import { findOwnPhones } from '#server/messaging/conversations/shown/named.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { GraphOptions } from '#server/whatsapp/graph/graph.ts'
import { createPricingReader, type PricingReader } from '#server/whatsapp/management/pricing-analytics.ts'

interface Opened {
  readonly kind: 'cloud' | 'sandbox'
  readonly wabaId: string
  readonly accessToken: string
  readonly appSecret: string
}

interface ReaderParts {
  readonly databases: { readonly read: Db }
  readonly numbers: { findByConnectionId(id: string): Promise<Opened | undefined> }
  graphOf(kind: Opened['kind']): Pick<GraphOptions, 'baseUrl' | 'version'>
}

export interface AccountReader {
  readonly wabaId: string
  readonly reader: PricingReader
}

/** Returns functions that read the prices of each account to which connected numbers of an organization belong. */
export const createAccountReaders =
  ({ databases, numbers, graphOf }: ReaderParts) =>
  async (orgId: string): Promise<readonly AccountReader[]> => {
    const ids = [...(await findOwnPhones(databases.read, orgId)).keys()]
    const opened = await Promise.all(ids.map(id => numbers.findByConnectionId(id)))
    const accounts = new Map(opened.flatMap(one => (one ? [[one.wabaId, one] as const] : [])))
    return [...accounts].map(([wabaId, one]) => ({
      wabaId,
      reader: createPricingReader({ ...one, ...graphOf(one.kind) }),
    }))
  }
