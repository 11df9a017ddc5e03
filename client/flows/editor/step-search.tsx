import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowGraph, nodeKind, outputsOf } from '#shared/flows/graph.ts'
import { fold } from '#shared/kernel/fold.ts'
import { outlineOf, stepsInOrder } from '../outline/outline-tree.ts'
import { sayingOf } from '../step-words.ts'
import { titleOf } from '../words.ts'
import { useEditorActions, useEditorFacts } from './editor-context.ts'

/** Finds steps by name and content; Enter goes to the next, Shift+Enter to the previous. On phones a button opens it. */
export function StepSearch({ graph }: { readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { reveal } = useEditorActions()
  const { names, beginsBy } = useEditorFacts()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState<number>()
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  const wanted = fold(typed.trim())
  const found = (): string[] => {
    const nodes = new Map(graph.nodes.map(node => [node.id, node]))
    return stepsInOrder(outlineOf(graph)).filter(id => {
      const node = nodes.get(id)
      if (!node) return false
      const options = outputsOf(node).flatMap(output => nodeKind(node).outputName?.(node, output) ?? [])
      const says = node.type === 'start' ? beginsBy : sayingOf(t, node, names)
      return fold([titleOf(t, node), says, ...options].join(' ')).includes(wanted)
    })
  }
  const matches = wanted ? found() : []
  const go = (by: 1 | -1) => {
    if (!matches.length) return
    const first = by === 1 ? 0 : matches.length - 1
    const next = at === undefined || at >= matches.length ? first : (at + by + matches.length) % matches.length
    setAt(next)
    const id = matches[next]
    if (id) reveal(id)
  }
  const close = () => {
    setOpen(false)
    setTyped('')
    setAt(undefined)
  }
  return (
    <>
      <button
        type="button"
        className="icon-button flow-search-button"
        aria-expanded={isOpen}
        aria-label={t('find.label')}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="search" />
      </button>
      <div className="flow-step-search" data-open={isOpen}>
        <input
          ref={field}
          type="search"
          aria-label={t('find.label')}
          placeholder={t('find.short')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(undefined)
          }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            event.preventDefault()
            go(event.shiftKey ? -1 : 1)
          }}
        />
        <small role="status">
          {wanted
            ? matches.length
              ? t('find.at', { at: at === undefined ? 0 : at + 1, total: matches.length })
              : t('find.none')
            : ''}
        </small>
      </div>
    </>
  )
}
