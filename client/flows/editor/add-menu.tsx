import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { NodeIcon } from '../canvas/node-icon.tsx'
import { type AddableType, addableTypes, type OutputPlace } from './draft/draft.ts'
import { disconnect } from './draft/operations.ts'
import { useEditorActions } from './editor-context.ts'

interface AddMenuProps {
  /** Absent: an unconnected step. */
  readonly place?: OutputPlace | undefined
  /** Nothing follows here, so the output can also be marked as an end. */
  readonly isOpen?: boolean | undefined
  readonly label: string
  readonly className?: string
  /** The step or output, for screen readers. */
  readonly about?: string | undefined
}

/** Names the step for screen readers: several buttons have the same text, each next to its step. */
export const About = ({ what }: { readonly what: string | undefined }) =>
  what ? <span className="sr-only">: {what}</span> : null

const groups = {
  say: ['message', 'template', 'question', 'buttons'],
  decide: ['condition', 'split', 'http', 'set', 'tag', 'wait'],
  leave: ['handoff', 'goto', 'subflow', 'close', 'end'],
} as const satisfies Record<string, readonly AddableType[]>

/** The steps that usually follow at an output. At outputs not listed, the customer chose something. */
const usual: Readonly<Record<string, readonly AddableType[]>> = {
  next: ['message', 'buttons', 'question', 'handoff'],
  other: ['handoff', 'message'],
  invalid: ['handoff', 'message'],
  timeout: ['message', 'handoff'],
  error: ['handoff', 'message'],
}
const usualAtOption: readonly AddableType[] = ['message', 'question', 'handoff']

/** The kinds in the order of the menu: first what usually follows, then the others by what they do. */
const kindsAt = (place: OutputPlace | undefined): readonly (readonly [string, readonly AddableType[]])[] => {
  const first = place ? (usual[place.output] ?? usualAtOption) : []
  const rest = Object.entries(groups).map(
    ([name, kinds]) => [name, kinds.filter(kind => addableTypes.includes(kind) && !first.includes(kind))] as const,
  )
  return first.length ? [['usual', first], ...rest] : rest
}

/** The items of the menu, narrowed by typing; Enter takes the first. A finger would only get a keyboard in the way. */
function AddItems({ place, isOpen, label }: Pick<AddMenuProps, 'place' | 'isOpen' | 'label'>) {
  const { t } = useTranslation('flows')
  const { add, change, paste } = useEditorActions()
  const [hasSearch] = useState(() => matchMedia('(pointer: fine)').matches)
  const [typed, setTyped] = useState('')
  const items = useRef<HTMLDivElement>(null)
  const wanted = fold(typed.trim())
  const isWanted = (text: string) => fold(text).includes(wanted)
  const groups = kindsAt(place)
    .map(([name, kinds]) => [name, kinds.filter(type => isWanted(t(`node.${type}`)))] as const)
    .map(([name, kinds]) => [name, kinds, name === 'leave' && place && isOpen && isWanted(t('outputs.end'))] as const)
    .filter(([, kinds, canEnd]) => kinds.length || canEnd)
  const canPaste = isWanted(t('paste'))
  return (
    <>
      {hasSearch ? (
        <input
          type="search"
          dir="auto"
          className="menu-search"
          aria-label={t('addSearch')}
          placeholder={t('addSearch')}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            event.preventDefault()
            items.current?.querySelector<HTMLElement>('[data-item]')?.click()
          }}
        />
      ) : null}
      <div ref={items} role="menu" aria-label={label}>
        {groups.map(([name, kinds, canEnd]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
          <div key={name} role="group" aria-label={t(`addGroup.${name as 'say'}`)}>
            <p className="menu-note fine" aria-hidden="true">
              {t(`addGroup.${name as 'say'}`)}
            </p>
            {kinds.map(type => (
              <MenuItem key={type} onClick={() => add(type, place)}>
                <NodeIcon type={type} />
                {t(`node.${type}`)}
              </MenuItem>
            ))}
            {canEnd && place ? (
              <MenuItem onClick={() => change(graph => disconnect(graph, place, true))}>{t('outputs.end')}</MenuItem>
            ) : null}
          </div>
        ))}
        {canPaste ? <MenuItem onClick={() => paste(place)}>{t('paste')}</MenuItem> : null}
      </div>
      {groups.length || canPaste ? null : (
        <p className="menu-note fine" role="status">
          {t('find.none')}
        </p>
      )}
    </>
  )
}

/** Menu with the kinds of step that can be added here. */
export function AddMenu({ place, isOpen, label, className = 'link flow-add', about }: AddMenuProps) {
  return (
    <Menu
      label={label}
      className={className}
      side="below-start"
      role="group"
      button={
        <>
          <Icon name="plus" />
          {label}
          <About what={about} />
        </>
      }
    >
      {() => <AddItems {...{ place, isOpen, label }} />}
    </Menu>
  )
}
