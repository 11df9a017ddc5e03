import { useRef, useState } from 'react'
import { contactSideId, setContactSide, useContactSide, useRoomBeside } from '../../contact/contact-place.ts'

export type HeadMenus = ReturnType<typeof useHeadMenus>

/** The menus and dialogs of the head, and the buttons at which they open. */
export function useHeadMenus() {
  const assignButton = useRef<HTMLButtonElement>(null)
  const tagButton = useRef<HTMLButtonElement>(null)
  const snoozeButton = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLSpanElement>(null)
  const [isAssigning, setIsAssigning] = useState(false)
  const [taggingAt, setTaggingAt] = useState<HTMLElement>()
  const [snoozingAt, setSnoozingAt] = useState<HTMLElement>()
  const [isOptingOut, setIsOptingOut] = useState(false)
  /** The button that is shown: in a narrow head, only that of the menu is. */
  const shownButton = (button: HTMLElement | null) =>
    (button?.checkVisibility() ? button : more.current?.querySelector('button')) ?? undefined
  return {
    assignButton,
    tagButton,
    snoozeButton,
    more,
    isAssigning,
    openAssign: () => setIsAssigning(true),
    closeAssign: () => setIsAssigning(false),
    taggingAt,
    openTags: () => setTaggingAt(shownButton(tagButton.current)),
    closeTags: () => setTaggingAt(undefined),
    snoozingAt,
    openSnooze: (from: HTMLElement | null = snoozeButton.current) => setSnoozingAt(shownButton(from)),
    closeSnooze: () => setSnoozingAt(undefined),
    isOptingOut,
    openOptOut() {
      setTaggingAt(undefined)
      setIsOptingOut(true)
    },
    closeOptOut: () => setIsOptingOut(false),
  }
}

/** The contact, which opens beside the chat where there is room, otherwise in a dialog. */
export function useContactPlace() {
  const [isInDialog, setIsInDialog] = useState(false)
  const hasRoom = useRoomBeside()
  const isBeside = useContactSide() && hasRoom
  const open = () => {
    if (isBeside) document.getElementById(contactSideId)?.focus()
    else if (hasRoom) setContactSide(true)
    else setIsInDialog(true)
  }
  return {
    hasRoom,
    isBeside,
    isInDialog,
    open,
    /** Opens it; beside the chat, also closes it. */
    press: () => (isBeside ? setContactSide(false) : open()),
    closeDialog: () => setIsInDialog(false),
  }
}
