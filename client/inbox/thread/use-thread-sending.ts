import { useMemo, useState } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { focusComposerFirst } from '../composer/composer-focus.ts'
import type { ChosenFile } from '../composer/files/files-dialog.tsx'
import type { Undone } from '../composer/use-composer-sending.ts'
import type { KindBody } from '../kinds/composed.ts'
import type { MessageActs, Reacting } from './bubble/message-acts.ts'
import type { ChatStep } from './bubble/next-step.tsx'
import { type ActsOf, useThreadActs } from './thread-acts.ts'
import type { ThreadDialog } from './thread-dialogs.tsx'
import type { useThreadMessages } from './thread-messages.ts'

interface SendingParts extends ActsOf {
  readonly thread: Pick<ReturnType<typeof useThreadMessages>, 'onNewest'>
  setReplyTo(message: Message | null): void
  setIsNote(isNote: boolean): void
}

/** Actions of a thread's composer, head and bubbles, and the dialog that is open over it. */
export function useThreadSending({ thread, setReplyTo, setIsNote, ...parts }: SendingParts) {
  const [undone, setUndone] = useState<Undone>()
  const [open, setOpen] = useState<ThreadDialog>()
  const acts = useThreadActs(parts)
  /** Sent messages are at the end. */
  const said = () => {
    setReplyTo(null)
    thread.onNewest?.()
  }
  const sendFiles = (chosen: readonly ChosenFile[]) => {
    acts.sendFiles(chosen)
    said()
  }
  /** After a dialog that sends something, focus goes to the composer. */
  const openOver = (dialog: ThreadDialog) => {
    focusComposerFirst()
    setOpen(dialog)
  }
  // Stable functions, so that bubbles, header and composer are not re-rendered.
  const steady = useSteady({
    reply(message: Message) {
      setIsNote(false)
      setReplyTo(message)
    },
    retry: acts.retry,
    cancel: acts.cancel,
    retryMedia: acts.retryMedia,
    why: acts.why,
    cancelReply: () => setReplyTo(null),
    sendText(text: string) {
      acts.sendText(text)
      said()
    },
    sendVoice: (file: File) => sendFiles([{ file, kind: 'voice', caption: '' }]),
    async sendKind(kind: KindBody, key: string) {
      await acts.sendKind(kind, key)
      setReplyTo(null)
    },
    async addNote(text: string) {
      const isStored = await acts.addNote(text)
      if (isStored) thread.onNewest?.()
      return isStored
    },
    showTyping: acts.showTyping,
    openFiles: (files: readonly File[], caption?: string) => openOver({ kind: 'files', files, caption }),
    openTemplate: () => openOver({ kind: 'template' }),
    openFlow: () => openOver({ kind: 'flow' }),
    openStep: (step: ChatStep) => openOver({ kind: step }),
    beginNote: () => setIsNote(true),
    /** The text of an undone message goes back into the composer. */
    discard(message: Message) {
      const text = acts.discard(message)
      if (text !== undefined) setUndone({ text, key: message.id })
    },
  })
  return { acts, steady, sendFiles, undone, open, setOpen }
}

type Steady = ReturnType<typeof useThreadSending>['steady']

/** The acts of the messages' menus and buttons, as far as the person may do them. */
export const useMessageActs = (
  steady: Steady,
  setOpen: (dialog: ThreadDialog) => void,
  { canReply, canAnswer, canReact }: { canReply: boolean; canAnswer: boolean; canReact: boolean },
): MessageActs =>
  useMemo<MessageActs>(() => {
    const opens = (kind: 'info' | 'forward' | 'media' | 'note') => (message: Message) => setOpen({ kind, message })
    return {
      onReply: canAnswer ? steady.reply : undefined,
      onReact: canReact ? (reacting: Reacting) => setOpen({ kind: 'reaction', reacting }) : undefined,
      onForward: canReply ? opens('forward') : undefined,
      onWhy: steady.why,
      onInfo: opens('info'),
      onRetry: canReply ? steady.retry : undefined,
      onCancel: canReply ? steady.cancel : undefined,
      onDiscard: steady.discard,
      onStep: canAnswer ? steady.openStep : undefined,
      onRetryMedia: canReply ? steady.retryMedia : undefined,
      onView: opens('media'),
      onNote: canReply ? opens('note') : undefined,
    }
  }, [canAnswer, canReact, canReply, steady, setOpen])
