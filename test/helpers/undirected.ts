import { parseAst } from 'vite'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Names of properties that hold texts written by people. */
const writtenNames = new Set([
  'name',
  'names',
  'label',
  'subject',
  'author',
  'nickname',
  'profileName',
  'editedBy',
  'fileName',
  'sample',
  'note',
])

/** Elements that contain our own texts: keyboard keys and variable names. */
const fixedTags = new Set(['kbd', 'var'])

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** The last property in `one.contact.name`, also in `one.name ?? one.phone`; undefined: it is another expression. */
const lastName = (node: Node): string | undefined => {
  // A variable called `label` is mostly one of our texts.
  if (node.type === 'Identifier') return node.name === 'label' ? undefined : (node.name as string)
  if (node.type === 'ChainExpression') return lastName(node.expression as Node)
  if (node.type === 'MemberExpression') return node.computed ? undefined : ((node.property as Node).name as string)
  if (node.type === 'LogicalExpression') return lastName(node.left as Node) ?? lastName(node.right as Node)
  return undefined
}

const tagOf = (element: Node): string => ((element.openingElement as Node).name as Node).name as string

const isDirected = (element: Node): boolean =>
  tagOf(element) === 'bdi' ||
  ((element.openingElement as Node).attributes as Node[]).some(one => (one.name as Node | undefined)?.name === 'dir')

export interface Undirected {
  readonly start: number
  readonly end: number
  /** The element around it. */
  readonly tag: string
  /** Whether it is the only content of that element. */
  readonly isAlone: boolean
  /** The offset of the opening tag's `>`. */
  readonly opens: number
}

/** Names and labels in JSX elements without `dir`, and options with texts written by people. */
export function undirectedNames(code: string): Undirected[] {
  const found: Undirected[] = []
  const visit = (node: unknown, parent: Node | undefined) => {
    if (Array.isArray(node)) for (const one of node) visit(one, parent)
    if (!isNode(node)) return
    if (node.type === 'JSXElement') {
      const tag = tagOf(node)
      const children = (node.children as Node[]).filter(one => one.type !== 'JSXText' || /\S/.test(one.raw as string))
      for (const child of children) {
        const expression = child.type === 'JSXExpressionContainer' ? (child.expression as Node) : undefined
        // A component sets the direction of its children itself.
        if (!expression || !/^[a-z]/.test(tag ?? 'Member') || fixedTags.has(tag) || isDirected(node)) continue
        const isWritten = writtenNames.has(lastName(expression) ?? '')
        const isOurs = expression.type === 'CallExpression' && (expression.callee as Node).name === 't'
        if (isWritten || (tag === 'option' && !isOurs))
          found.push({
            ...{ start: child.start, end: child.end, tag, isAlone: children.length === 1 },
            opens: (node.openingElement as Node).end - 1,
          })
      }
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type' && typeof value === 'object') visit(value, node)
  }
  visit(parseAst(code, { lang: 'tsx' }), undefined)
  return found
}
