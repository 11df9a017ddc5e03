/** Webhook fields for which a feature asks, so that the app must be subscribed to them. */
interface Subscriptions {
  /** Fields without which messages would be missing in chats: the number's check fails. */
  readonly vital?: readonly string[]
  /** Fields without which something is learned late: the check warns. */
  readonly useful?: readonly string[]
}

declare module '#server/platform/wiring/feature.ts' {
  interface FeatureFacts {
    /** The fields for which it asks. One of its `takers`, or another feature's, gets them. */
    readonly subscribesTo?: Subscriptions
  }
}

/** The fields of all features together. */
export interface WantedFields {
  readonly vital: readonly string[]
  /** The vital ones first. */
  readonly all: readonly string[]
}

export function collectWantedFields(features: readonly { readonly subscribesTo?: Subscriptions }[]): WantedFields {
  const vital = features.flatMap(({ subscribesTo }) => subscribesTo?.vital ?? [])
  return { vital, all: [...vital, ...features.flatMap(({ subscribesTo }) => subscribesTo?.useful ?? [])] }
}
