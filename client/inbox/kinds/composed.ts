import type { IconName } from '#client/ui/pictures/icon.tsx'
import type { SendMessage } from '#shared/inbox/send-message.ts'

/**
 * Kinds that the composer offers beside text, files and templates. The forms are in `compose-dialog.tsx`, which loads
 * when it opens.
 */
export const composedIcons = {
  location: 'pin',
  contact: 'card',
  buttons: 'reply',
  list: 'choice',
  action: 'flow',
} as const satisfies Readonly<Record<string, IconName>>
export type ComposedKind = keyof typeof composedIcons
export const composedKinds = Object.keys(composedIcons) as ComposedKind[]

export type KindBody = Pick<
  SendMessage,
  'type' | 'message' | 'button' | 'location' | 'contacts' | 'action' | 'labelRecado' | 'data'
>

export interface KindFormProps {
  /** The composer's text. */
  readonly text: string
  readonly isWorking: boolean
  /** Why sending was refused. */
  readonly failure: string | undefined
  onSend(body: KindBody): void
  onCancel(): void
}

/** Leaves out empty fields. */
export const filled = <T extends Record<string, string>>(fields: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value),
  ) as Partial<T>
