import './palette.css'
import { Command } from 'cmdk'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type CommandGroup, useCommandGroups } from './commands.ts'
import { keyOf, rank } from './rank.ts'

const scrollbarGoneMs = 600
/** Rows visible without scrolling. */
const visibleRows = 7

/** The first groups that fill the visible rows. */
const visibleGroups = (groups: readonly CommandGroup[]) => {
  let rows = 0
  return groups.filter(({ commands }) => {
    const isSeen = rows < visibleRows
    rows += commands.length
    return isSeen
  })
}

/** Shows the list's scrollbar while the pointer is over it, and a moment longer. */
const useShyScrollbar = () => {
  const [isShown, setShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    'data-scrollbar': isShown ? 'shown' : 'hidden',
    onPointerEnter: () => {
      clearTimeout(timer.current)
      setShown(true)
    },
    onPointerLeave: () => {
      timer.current = setTimeout(() => setShown(false), scrollbarGoneMs)
    },
  }
}

const Group = ({ group, onDone }: { group: CommandGroup; onDone: (run: () => void) => void }) => (
  <Command.Group heading={group.title}>
    {group.commands.map(command => (
      <Command.Item
        // cmdk notices changed keywords only on another item.
        key={`${command.id} ${command.keywords}`}
        value={keyOf(command.id, command.title)}
        keywords={command.keywords ? [...command.keywords] : undefined}
        aria-keyshortcuts={command.hint}
        onSelect={() => onDone(command.run)}
      >
        {command.icon ? <Icon name={command.icon} /> : null}
        <span className="cut">{command.title}</span>
        {command.detail ? (
          <small className="cut" dir="auto">
            {command.detail}
          </small>
        ) : null}
        {command.hint ? (
          <span className="palette-key" aria-hidden="true">
            {command.hint}
          </span>
        ) : null}
      </Command.Item>
    ))}
  </Command.Group>
)

/** The selected command. If the first is selected, the first stays selected when chats are inserted above it. */
const useChoice = (groups: readonly CommandGroup[]) => {
  const [value, setValue] = useState('')
  const command = groups[0]?.commands[0]
  const first = command ? keyOf(command.id, command.title) : ''
  const before = useRef('')
  useLayoutEffect(() => {
    setValue(chosen => (chosen === before.current ? first : chosen))
    return () => {
      before.current = first
    }
  }, [first])
  return { value, onValueChange: setValue }
}

const movingKeys = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End'])

/**
 * Selects the first command until the person moves to another one, even if the first one arrives late. If Enter is
 * pressed before it arrives, it is chosen when it does.
 */
const useFirstFound = (
  dialog: RefObject<HTMLDialogElement | null>,
  typed: string,
  groups: readonly CommandGroup[],
  select: (value: string) => void,
) => {
  const movedAt = useRef<string>(undefined)
  /** The text for which the first is selected, and the one at which Enter was pressed before. */
  const [foundAt, enteredAt] = [useRef<string>(undefined), useRef<string>(undefined)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever has come in
  useEffect(() => {
    if (typed.trim() === '' || movedAt.current === typed) return
    // After the list was filtered and sorted.
    const frame = requestAnimationFrame(() => {
      const item = dialog.current?.querySelector<HTMLElement>('[cmdk-item]')
      const first = item?.getAttribute('data-value')
      if (!item || !first || movedAt.current === typed) return
      select(first)
      foundAt.current = typed
      if (enteredAt.current === typed) item.click()
    })
    return () => cancelAnimationFrame(frame)
  }, [typed, groups])
  const move = () => {
    movedAt.current = typed
  }
  return {
    onPointerMove: move,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || movingKeys.has(event.key)) move()
      if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
      if (typed.trim() === '' || foundAt.current === typed || movedAt.current === typed) return
      event.preventDefault()
      enteredAt.current = typed
    },
  }
}

interface PaletteProps {
  /** Text typed before the palette was open. */
  readonly early: string
  /** Rendered outside the document. Nothing opens or is requested. */
  readonly isWarmUp?: boolean
  onClose(): void
}

/** Everything the product can open or do, found by typing. Mounted while open. */
export default function Palette({ early, isWarmUp = false, onClose }: PaletteProps) {
  const { t } = useTranslation('palette')
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState(early)
  const groups = useCommandGroups(typed, !isWarmUp)
  // Rows that need scrolling are rendered after the first paint.
  const isWhole = useDeferredValue(true, false)
  const choice = useChoice(groups)
  const scrollbar = useShyScrollbar()
  const moves = useFirstFound(dialog, typed, groups, choice.onValueChange)
  const isPressedOutside = useRef(false)

  // In the layout effect, so that no key is lost between painting and listening, and focus returns before the field is
  // removed.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element?.isConnected) return
    element.showModal()
    // By default the browser would focus the surrounding box.
    element.querySelector('input')?.focus()
    return () => element.close()
  }, [])

  /** Closes first: the command may navigate, open a dialog or focus. */
  const done = (run: () => void) => {
    dialog.current?.close()
    onClose()
    run()
  }
  const isOutside = (event: MouseEvent<HTMLDialogElement>) => event.target === event.currentTarget
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('label')}
      onClose={onClose}
      onCancel={onClose}
      // Both ends of the click must be outside: a text selection may end past the edge.
      onPointerDown={event => {
        isPressedOutside.current = isOutside(event)
      }}
      onClick={event => {
        if (isPressedOutside.current && isOutside(event)) onClose()
      }}
    >
      <Command label={t('label')} loop={false} filter={rank} {...choice} {...moves}>
        <div className="palette-field line">
          <Icon name="search" />
          <Command.Input value={typed} onValueChange={setTyped} placeholder={t('placeholder')} />
        </div>
        <Command.List label={t('results')} {...scrollbar}>
          {(isWhole ? groups : visibleGroups(groups)).map(group => (
            <Group key={group.id} group={group} onDone={done} />
          ))}
        </Command.List>
        {/* Beside the list, because a listbox may only contain options. */}
        <Command.Empty role="status">{t('empty')}</Command.Empty>
      </Command>
    </dialog>
  )
}
