import type { SendMessage } from '#shared/inbox/send-message.ts'

/** What is sent beside text, files and templates. */
export const messageKinds = ['location', 'contact', 'buttons', 'list', 'action'] as const
export type MessageKind = (typeof messageKinds)[number]

export type KindBody = Pick<
  SendMessage,
  'type' | 'message' | 'button' | 'location' | 'contacts' | 'action' | 'labelRecado' | 'data'
>

export interface KindFormProps {
  /** What was being written. */
  readonly text: string
  readonly isWorking: boolean
  /** What sending was refused for. */
  readonly failure: string | undefined
  onSend(body: KindBody): void
  onCancel(): void
}

/** Fields that were left empty are left out. */
export const filled = <T extends Record<string, string>>(fields: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value),
  ) as Partial<T>
