import { Type } from 'typebox'
import { type BlockReason, blockReasons, bulkSendStates } from '#shared/bulk-sends/states.ts'
import { sessionStates } from '#shared/flows/runs/runs.ts'
import { importSources } from '#shared/imports/states.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { connectionStatuses } from '#shared/numbers/api.ts'
import { ofConversation, ofOrganization } from './kind.ts'

const Judgement = Type.Object({ status: Type.String(), category: Type.String(), quality: Type.String() })
const session = { sessionId: Type.String(), flowId: Type.String() }
const sampleSession = { sessionId: '0199a7c2f6d97c1a', flowId: '0199a7c2f6d57c1a' }

export const organizationKinds = {
  'import.finished': ofOrganization({
    on: 'chatImport.finished',
    summary: 'An import of chats ended. This is the only event about what it added.',
    fields: {
      id: Type.String(),
      source: Type.Enum(importSources),
      messages: Type.Integer({ description: 'Messages that it added.' }),
      files: Type.Integer(),
      contacts: Type.Integer({ description: 'Contacts that it made.' }),
      existing: Type.Integer({ description: 'Messages that were here already.' }),
      refused: Type.Integer({ description: 'Lines and files that were not taken.' }),
    },
    sample: {
      id: '0199a7c2f6da7c1a',
      source: 'recado',
      messages: 1204,
      files: 85,
      contacts: 37,
      existing: 0,
      refused: 2,
    },
    make: data => ({ data: { ...data }, subject: `import ${data.id}` }),
  }),
  'template.status': ofOrganization({
    on: 'template.changed',
    summary: 'The status, category or quality of a template changed, or it was deleted.',
    fields: {
      id: Type.String(),
      name: Type.String(),
      language: Type.String(),
      status: Type.String({ description: "Meta's status, or `DRAFT`." }),
      category: Type.String(),
      quality: Type.String({ description: "Meta's quality rating." }),
      before: Nullable(Judgement),
      byVendor: Type.Boolean({ description: 'WhatsApp decided it, not a member.' }),
      removed: Type.Boolean(),
    },
    sample: {
      id: '1234567890',
      name: 'pedido_enviado',
      language: 'es_AR',
      status: 'APPROVED',
      category: 'UTILITY',
      quality: 'UNKNOWN',
      before: { status: 'PENDING', category: 'UTILITY', quality: 'UNKNOWN' },
      byVendor: true,
      removed: false,
    },
    make(data) {
      const { before, status, category, quality, removed } = data
      const isSame = before?.status === status && before.category === category && before.quality === quality
      return isSame && !removed ? undefined : { data: { ...data }, subject: `template ${data.id}` }
    },
  }),
  'bulkSend.state': ofOrganization({
    on: 'bulkSend.changed',
    summary: 'A bulk send is new or in another state.',
    fields: {
      id: Type.String(),
      state: Type.Enum([...bulkSendStates]),
      before: Nullable(Type.Enum([...bulkSendStates])),
      reason: Nullable(Type.Enum([...blockReasons] as BlockReason[], { description: 'Why it is blocked.' })),
      templateName: Type.String(),
      people: Type.Integer({ description: 'Number of planned recipients.' }),
    },
    sample: {
      id: '0199a7c2f6d87c1a',
      state: 'completed',
      before: 'running',
      reason: null,
      templateName: 'pedido_enviado',
      people: 1250,
    },
    make({ id, isTest, state, before, reason, templateName, people }) {
      if (isTest || before === state) return undefined
      return { data: { id, state, before, reason, templateName, people }, subject: `send ${id}` }
    },
  }),
  'flow.started': ofConversation({
    on: 'flow.started',
    summary: 'A flow began in a conversation.',
    fields: session,
    sample: sampleSession,
    make: ({ sessionId, flowId }) => ({ data: { sessionId, flowId } }),
  }),
  'flow.ended': ofConversation({
    on: 'flow.ended',
    summary: 'A flow ended in a conversation.',
    fields: {
      ...session,
      state: Type.Enum([...sessionStates]),
      reason: Nullable(Type.String({ description: 'The code of a handover.' })),
    },
    sample: { ...sampleSession, state: 'finished', reason: null },
    make: ({ sessionId, flowId, state, reason }) => ({ data: { sessionId, flowId, state, reason } }),
  }),
  'number.status': ofOrganization({
    on: 'connection.changed',
    summary: 'A number was connected or disconnected, or is in another state.',
    fields: {
      phone: Nullable(Type.String({ description: 'Our number, digits.' })),
      status: Nullable(Type.Enum([...connectionStatuses], { description: 'Null: it was disconnected.' })),
      reason: Nullable(Type.String({ description: 'The error code that caused it.' })),
    },
    sample: { phone: '5491150001000', status: 'connected', reason: null },
    make: ({ phone, status, reason }) => ({ data: { phone, status, reason }, subject: 'number' }),
  }),
  'member.joined': ofOrganization({
    on: 'member.joined',
    summary: 'A person accepted an invitation.',
    fields: { name: Type.String() },
    sample: { name: 'Ana Gómez' },
    make: ({ name }) => ({ data: { name }, subject: 'members' }),
  }),
  'member.left': ofOrganization({
    on: 'member.left',
    summary: 'A member left the organization or was removed.',
    fields: { userId: Type.String() },
    sample: { userId: '0199a7c2f6d17f3b' },
    make: ({ userId }) => ({ data: { userId }, subject: 'members' }),
  }),
  'member.role': ofOrganization({
    on: 'member.roleChanged',
    summary: 'A member has another role.',
    fields: { userId: Type.String() },
    sample: { userId: '0199a7c2f6d17f3b' },
    make: ({ userId }) => ({ data: { userId }, subject: 'members' }),
  }),
}
