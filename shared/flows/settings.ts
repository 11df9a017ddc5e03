import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'

export const flowSettingsLimits = { words: 20, wordChars: 40, hours: 48, textChars: 1000 } as const

const Words = (least: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: flowSettingsLimits.wordChars, pattern: '[\\p{L}\\p{N}]' }), {
    minItems: least,
    maxItems: flowSettingsLimits.words,
    description,
  })
const Text = (description: string) =>
  Type.Union([
    Type.String({ minLength: 1, maxLength: flowSettingsLimits.textChars, pattern: '\\S', description }),
    Type.Null(),
  ])

/**
 * Settings for all flows of an organization. A word counts only if it is the whole message, regardless of case and
 * accents.
 */
export const FlowSettings = Type.Object(
  {
    restartWords: Words(0, 'Who writes one in a flow begins it again.'),
    leaveWords: Words(0, 'A customer who writes one of these in a flow leaves it.'),
    personWords: Words(1, 'A customer who writes one of these gets a person.'),
    expiresAfterHours: Type.Integer({
      minimum: 0,
      maximum: flowSettingsLimits.hours,
      description:
        'How long a customer may leave a step unanswered that has no limit of its own, before the session expires; 0: thirty days.',
    }),
    expiredText: Text('The text that they get then, while the window is open; null: nothing.'),
    closedText: Text('The answer outside business hours where no flow answers; null: nothing.'),
  },
  { additionalProperties: false },
)
export type FlowSettings = Static<typeof FlowSettings>

/** The defaults until a member changes them. */
export const firstFlowSettings: FlowSettings = {
  restartWords: ['menú'],
  leaveWords: ['salir'],
  personWords: ['agente', 'humano', 'asesor', 'persona'],
  expiresAfterHours: 4,
  expiredText: null,
  closedText: null,
}

export const flowSettingsApi = {
  getSettings: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-settings',
    access: 'chat:read',
    reply: FlowSettings,
    summary: 'Settings of all flows: their keywords, when a session expires, and the answer outside business hours.',
  }),
  setSettings: endpoint({
    method: 'PUT',
    path: '/whatsapp/flow-settings',
    access: 'org:update',
    body: FlowSettings,
    reply: FlowSettings,
    summary:
      'Changes the settings of all flows, from the next message on, also for running sessions. A keyword can have one meaning only.',
  }),
} as const
