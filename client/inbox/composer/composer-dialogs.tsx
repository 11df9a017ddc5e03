import type { RefObject } from 'react'
import { putIn } from '#client/ui/controls/field-edits.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { signed } from '#shared/auth/profile.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { KindBody } from '../kinds/composed.ts'
import type { OpenParts } from './use-open-parts.ts'

const EmojiPopover = lazyDialog(() => import('./emoji-popover.tsx'))
const KindDialog = lazyDialog(() => import('../kinds/compose-dialog.tsx'))
const ScheduleDialog = lazyDialog(() => import('#client/scheduled-messages/schedule-dialog.tsx'))

interface ComposerDialogsProps {
  readonly open: OpenParts
  readonly conversation: Conversation
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly signature: string
  read(): string
  change(text: string): void
  onKind(body: KindBody, key: string): Promise<void>
}

/** The dialogs of the composer. They stand outside its form, because clicks in a dialog would bubble through it. */
export function ComposerDialogs(props: ComposerDialogsProps) {
  const { open, conversation, field, signature, read, change, onKind } = props
  const { emojisAt, kind, isScheduling } = open
  const insert = (emoji: string) => {
    const box = field.current
    if (!box) return
    // The popover keeps the focus until it has closed.
    requestAnimationFrame(() => setTimeout(() => change(putIn(box, emoji))))
  }
  return (
    <>
      {emojisAt ? (
        <EmojiPopover
          anchor={emojisAt.closest<HTMLElement>('.composer-box') ?? emojisAt}
          place="above-start"
          onPick={insert}
          onClose={open.closeEmojis}
        />
      ) : null}
      {kind ? (
        <KindDialog
          kind={kind}
          text={read()}
          send={onKind}
          onSent={usedText => usedText && change('')}
          onClose={open.closeKind}
        />
      ) : null}
      {isScheduling ? (
        <ScheduleDialog
          conversation={conversation}
          text={read().trim() && signed(read().trim(), signature)}
          onScheduled={() => change('')}
          onClose={open.closeSchedule}
        />
      ) : null}
    </>
  )
}
