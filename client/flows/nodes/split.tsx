import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { newPartId } from '../editor/draft/part-id.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { NumberField, useFieldProblem } from '../forms/fields.tsx'
import { outputLabel } from '../words.ts'

type Branches = NodeOf<'split'>['branches']

/** Equal weights that are 100 together: of three, 34, 33 and 33. */
const evenly = (branches: Branches): Branches =>
  branches.map((branch, i) => ({
    ...branch,
    weight: Math.floor(100 / branches.length) + (i < 100 % branches.length ? 1 : 0),
  }))

export default function SplitForm({ node }: { readonly node: NodeOf<'split'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const fault = useFieldProblem({ nodeId: node.id }, 'branches')
  const { id, branches } = node
  const change = (next: Branches, key?: string) => changeNode(id, { branches: next }, key)
  const weigh = (branchId: string, weight: number) =>
    change(
      branches.map(one => {
        if (one.id === branchId) return { ...one, weight }
        // Of two, the other one gets the rest.
        return branches.length === 2 ? { ...one, weight: 100 - weight } : one
      }),
      `${id}.${branchId}`,
    )
  return (
    <section className="flow-options">
      <p className="field-hint">{t('split.hint')}</p>
      <ul>
        {branches.map(branch => {
          const name = outputLabel(t, node, branch.id)
          return (
            <li key={branch.id} className="flow-option">
              <NumberField
                label={t('split.weight', { name })}
                value={branch.weight}
                min={1}
                max={99}
                onChange={weight => weigh(branch.id, weight)}
              />
              {isReadOnly || branches.length <= 2 ? null : (
                <div className="flow-option-tools">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('split.remove', { name })}
                    data-tip={t('split.remove', { name })}
                    onClick={() => change(evenly(branches.filter(one => one.id !== branch.id)))}
                  >
                    <Icon name="trash" />
                  </button>
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {fault ? <Fault>{fault}</Fault> : null}
      {isReadOnly || branches.length >= 4 ? null : (
        <button
          type="button"
          className="link"
          onClick={() => change(evenly([...branches, { id: newPartId(), weight: 1 }]))}
        >
          <Icon name="plus" />
          {t('split.add')}
        </button>
      )}
    </section>
  )
}
