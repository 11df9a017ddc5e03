import { outboundLimits } from '#shared/outbound/api.ts'

/** The limits of everything in a flow. WhatsApp has additional limits for texts to customers. */
export const flowLimits = {
  nodes: 500,
  edges: 2000,
  notes: 100,
  triggers: 20,
  text: 4096,
  name: 80,
  options: outboundLimits.rows,
  rules: 20,
  attempts: 5,
  /** The patterns of questions and conditions together. */
  patterns: 50,
  patternChars: 200,
  /** Thirty days. */
  timeoutMinutes: 43_200,
  waitDays: 999,
  /** The address of a node that calls a service. */
  url: 2000,
  pairs: 20,
  kept: 20,
  callMs: 10_000,
  /** WhatsApp shows "typing" for 25 seconds at most. */
  typingMs: 20_000,
} as const

/** The largest first. */
export const waitUnitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const
export type WaitUnit = keyof typeof waitUnitMs
