import type { OwnNumber } from '#server/messaging/sending/as-program.ts'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { asText } from '#server/whatsapp/scalars.ts'
import { badToken, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { GatewayCall } from './call.ts'

interface DebugTokenParts {
  readKeyHolder(text: string): Promise<KeyHolder | undefined>
}

const mayManage = ({ role, capabilities }: KeyHolder) =>
  roleCan(role, 'template:edit') && (capabilities?.includes('template:edit') ?? true)
const maySend = ({ role, capabilities }: KeyHolder) =>
  roleCan(role, 'chat:reply') && (capabilities?.includes('chat:reply') ?? true)

/** `GET /debug_token`: what a key of the same organization may do, in the words of Meta's scopes. */
export const createDebugToken =
  ({ readKeyHolder }: DebugTokenParts) =>
  async ({ caller, query }: GatewayCall, numbers: readonly OwnNumber[]): Promise<unknown> => {
    const input = asText(query.input_token)
    if (input === undefined) throw paramError('The parameter input_token is required.')
    const key = await readKeyHolder(input)
    if (key?.orgId !== caller.orgId) {
      const { code, message } = badToken().facts
      return { data: { error: { code, message }, is_valid: false, scopes: [] } }
    }
    const scopes = [
      ...(mayManage(key) ? ['whatsapp_business_management'] : []),
      ...(maySend(key) ? ['whatsapp_business_messaging'] : []),
    ]
    const target_ids = [...new Set(numbers.map(one => one.wabaId))]
    return {
      data: {
        app_id: '0',
        type: 'SYSTEM_USER',
        application: 'Recado',
        expires_at: 0,
        is_valid: true,
        scopes,
        granular_scopes: scopes.map(scope => ({ scope, target_ids })),
      },
    }
  }
