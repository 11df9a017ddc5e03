import { type RefObject, useState } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'
import type { ComposedKind } from '../kinds/composed.ts'
import type { ComposerTools } from './composer-bar.tsx'
import { focusComposerFirst } from './composer-focus.ts'

interface Opened {
  /** The key under which the text is stored. */
  readonly draftKey: string
  onFiles(files: readonly File[]): void
  onTemplate(): void
  onFlow(): void
}

/** Wraps an opener so that focus returns to the field when the opened part closes. */
const opening =
  <Args extends unknown[]>(open: (...args: Args) => void) =>
  (...args: Args) => {
    focusComposerFirst()
    open(...args)
  }

/** Lists, forms and the recorder that the tools below the field open. */
export function useOpenParts(
  field: RefObject<HTMLTextAreaElement | null>,
  { draftKey, onFiles, onTemplate, onFlow }: Opened,
) {
  /** The chat whose list of ready answers the button opened. */
  const [answersOf, setAnswersOf] = useState<string>()
  const [isScheduling, setIsScheduling] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  const [kind, setKind] = useState<ComposedKind>()
  const [emojisAt, setEmojisAt] = useState<HTMLElement>()
  const tools = useSteady({
    openEmojis: opening(setEmojisAt),
    takeFiles: (files: readonly File[]) => onFiles(files),
    chooseTemplate: onTemplate,
    beginAnswer() {
      setAnswersOf(draftKey)
      field.current?.focus()
    },
    schedule: opening(() => setIsScheduling(true)),
    openKind: opening(setKind),
    record: () => setIsRecording(true),
    startFlow: onFlow,
  } satisfies ComposerTools)
  return {
    tools,
    isAnswering: answersOf === draftKey,
    closeAnswers: () => setAnswersOf(undefined),
    isRecording,
    closeRecorder: () => setIsRecording(false),
    isScheduling,
    closeSchedule: () => setIsScheduling(false),
    kind,
    closeKind: () => setKind(undefined),
    emojisAt,
    closeEmojis: () => setEmojisAt(undefined),
  }
}

export type OpenParts = ReturnType<typeof useOpenParts>
