import './palette.css'
import { Command, defaultFilter } from 'cmdk'
import { type MouseEvent, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { type CommandGroup, useCommandGroups } from './commands.ts'

const scrollbarGoneMs = 600
/** As many fill the list. */
const rowsInSight = 7

/** Whole groups, until the list is full. */
const inSight = (groups: readonly CommandGroup[]) => {
  let rows = 0
  return groups.filter(({ commands }) => {
    const isSeen = rows < rowsInSight
    rows += commands.length
    return isSeen
  })
}

/** The list's scrollbar shows under the pointer and goes a moment after it left. */
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

/** What tells two commands of one name apart stands before it and is not looked through. */
const keyOf = (id: string, title: string) => `${id}\n${title}`
const rank = (value: string, typed: string, keywords?: string[]) =>
  defaultFilter(fold(value.slice(value.indexOf('\n') + 1)), fold(typed), keywords?.map(fold))

const Group = ({ group, onDone }: { group: CommandGroup; onDone: (run: () => void) => void }) => (
  <Command.Group heading={group.title}>
    {group.commands.map(command => (
      <Command.Item
        // cmdk hears of other keywords only from another item.
        key={`${command.id} ${command.keywords}`}
        value={keyOf(command.id, command.title)}
        keywords={command.keywords ? [...command.keywords] : undefined}
        onSelect={() => onDone(command.run)}
      >
        {command.icon ? <Icon name={command.icon} /> : null}
        <span className="cut">{command.title}</span>
        {command.hint ? <small>{command.hint}</small> : null}
      </Command.Item>
    ))}
  </Command.Group>
)

/** What is chosen: whoever stands on the first stays on the first, also when chats come in above it. */
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

interface PaletteProps {
  /** Typed before it was there. */
  readonly early: string
  /** Drawn outside the document; nothing opens and nothing is asked. */
  readonly isRehearsal?: boolean
  onClose(): void
}

/** Everything the product can reach or do, found by typing. Mounted while open. */
export default function Palette({ early, isRehearsal = false, onClose }: PaletteProps) {
  const { t } = useTranslation('palette')
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState(early)
  const groups = useCommandGroups(typed, !isRehearsal)
  // What is below the edge of the list comes right after the first paint.
  const isWhole = useDeferredValue(true, false)
  const choice = useChoice(groups)
  const scrollbar = useShyScrollbar()
  const isPressedOutside = useRef(false)

  // With the commit: no key falls between what is seen and what is heard, and the focus goes back before the field goes.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element?.isConnected) return
    element.showModal()
    // By itself the browser takes the first that could have it, which is the box around.
    element.querySelector('input')?.focus()
    return () => element.close()
  }, [])

  /** Closes first: what runs may navigate, ask or focus. */
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
      // Both ends of the click: text is selected past the edge, and what lies behind must not get the rest of it.
      onPointerDown={event => {
        isPressedOutside.current = isOutside(event)
      }}
      onClick={event => {
        if (isPressedOutside.current && isOutside(event)) onClose()
      }}
    >
      <Command label={t('label')} loop={false} filter={rank} {...choice}>
        <div className="palette-field line">
          <Icon name="search" />
          <Command.Input value={typed} onValueChange={setTyped} placeholder={t('placeholder')} />
        </div>
        <Command.List label={t('results')} {...scrollbar}>
          {(isWhole ? groups : inSight(groups)).map(group => (
            <Group key={group.id} group={group} onDone={done} />
          ))}
        </Command.List>
        {/* Beside the list: a list box holds options and nothing else. */}
        <Command.Empty role="status">{t('empty')}</Command.Empty>
      </Command>
    </dialog>
  )
}
