import { fold } from '#shared/kernel/fold.ts'

const wordsOf = (name: string): string[] =>
  fold(name.slice(0, 200).replace(/([a-z])([A-Z])/g, '$1 $2'))
    .replace(/[º°]/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

const setOf = (words: string) => new Set(words.split(' '))

const whatsapp = setOf('whatsapp whats wsp wpp wapp wasap waid')
const mobile = setOf('celular celulares cel movil moviles mobile cell cellphone cellular telemovel handy')
const phone = setOf(
  'telefono telefonos tel tels telephone telephones phone phones fone fones telefone telefones tlf tlfn tfno telf msisdn',
)
/** Such numbers are less often on WhatsApp. */
const fixed = setOf(
  'trabajo laboral work business oficina office empresa company comercial trabalho assistant asistente assistente fijo fixo landline casa home particular otro other alternativo secundario',
)
const number = setOf('numero numeros nro nros num number numbers')
const beside = setOf('de del la el los of the do da contacto contact contato')
/** Words of other numbers, and of phone properties that are not the number. */
const different = setOf(
  [
    'pedido pedidos orden order orders compra factura invoice fatura remito recibo ticket reserva booking guia tracking seguimiento',
    'id dni cuit cuil rut cpf cnpj curp rfc nif nie documento document documento codigo code sku serie serial lote',
    'cuenta account conta poliza expediente legajo socio matricula caso case habitacion room',
    'label labels type types tipo etiqueta etiquetas rotulo status estado verificado verified valido valid carrier operador',
    'fax telex pager tty tdd ttd isdn extension ext interno postal zip cp cep',
    'fecha date data monto importe precio price total cantidad quantity saldo edad age pais country area',
  ].join(' '),
)

/**
 * Ranks how well a column's name matches phone numbers: 5 WhatsApp, 4 mobile, 3 telephone, 2 work or home, 1 number, 0
 * no match, -1 something else.
 */
export const phoneRank = (name: string): number => {
  const words = wordsOf(name)
  const has = (set: ReadonlySet<string>) => words.some(word => set.has(word))
  if (words.join('') === 'waid') return 5
  if (has(different)) return -1
  if (has(whatsapp)) return 5
  if (has(mobile)) return 4
  if (has(phone)) return has(fixed) ? 2 : 3
  return has(number) && words.every(word => number.has(word) || beside.has(word) || /^\d$/.test(word)) ? 1 : 0
}

/** Best first. Columns of equal rank keep their order. */
export const byPhoneRank = (columns: readonly string[]): string[] =>
  [...columns].sort((a, b) => phoneRank(b) - phoneRank(a))

const listOf = (names: string) => new Set(names.split('|'))

const fullName = listOf(
  'nombre completo|full name|display name|file as|formatted name|fn|nombre y apellido|nombre y apellidos|apellido y nombre|apellidos y nombre|apellido nombre|apellidos y nombres|nome completo|nombre para la organizacion|name for the organization',
)
const plainName = listOf(
  'nombre|nombres|name|nome|cliente|contacto|contact|contact name|customer|customer name|client|nombre del cliente|nombre cliente|nome do cliente|contato|razon social',
)
const givenName = listOf('given name|first name|firstname|givenname|primer nombre|nombre de pila|prenome|primeiro nome')
const middleName = listOf('middle name|additional name|segundo nombre|otros nombres|segundo nome')
const familyName = listOf(
  'family name|last name|lastname|surname|apellido|apellidos|primer apellido|sobrenome|apellido paterno',
)
const secondFamilyName = listOf('segundo apellido|apellido materno')

const nameOf = (column: string): string => wordsOf(column).join(' ')

/** Position of a part of a name. */
const placeInName = (column: string): number => {
  const name = nameOf(column)
  if (secondFamilyName.has(name)) return 3
  if (familyName.has(name)) return 2
  return middleName.has(name) ? 1 : 0
}

/** Columns with parts of a name in speaking order: family name last. */
export const byPlaceInName = (columns: readonly string[]): string[] =>
  [...columns].sort((a, b) => placeInName(a) - placeInName(b))

/** The columns that make up a person's name. Empty: none. */
export const findNameColumns = (columns: readonly string[]): string[] => {
  const among = (names: ReadonlySet<string>) => columns.filter(column => names.has(nameOf(column)))
  const [full] = among(fullName)
  if (full !== undefined) return [full]
  const family = [...among(familyName).slice(0, 1), ...among(secondFamilyName).slice(0, 1)]
  const given = among(givenName).slice(0, 1)
  const [plain] = among(plainName)
  // Google's `Name` is the full name, beside its parts.
  if (plain !== undefined && (given.length || !family.length)) return [plain]
  const first = plain === undefined ? given : [plain]
  return first.length || family.length ? [...first, ...among(middleName).slice(0, 1), ...family] : []
}

const otherNames: Readonly<Record<'note' | 'tags', ReadonlySet<string>>> = {
  note: listOf('nota|notas|note|notes|observaciones|observacion|comentarios|comentario|comments|observacoes'),
  tags: listOf('etiquetas|etiqueta|tags|tag|labels|group membership|categories|categorias|grupos'),
}

/** Returns the other content of a column, according to its name. */
export const otherTarget = (column: string): 'note' | 'tags' | undefined => {
  const name = nameOf(column)
  if (otherNames.note.has(name)) return 'note'
  return otherNames.tags.has(name) ? 'tags' : undefined
}

/** True if the cell looks like a column name of a list of people. */
export const isColumnName = (cell: string): boolean =>
  cell.length <= 100 &&
  /\p{L}/u.test(cell) &&
  !/\d{5}/.test(cell) &&
  (phoneRank(cell) > 0 || otherTarget(cell) !== undefined || findNameColumns([cell]).length > 0)
