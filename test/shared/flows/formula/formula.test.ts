import fc from 'fast-check'
import t, { type Test } from 'tap'
import { calculate, formulaFunctions, readFormula } from '#shared/flows/formula/formula.ts'
import { FormulaFault, formulaMaxChars, formulaVariables } from '#shared/flows/formula/parse.ts'
import { variableMaxChars } from '#shared/flows/variables.ts'

const known: Readonly<Record<string, string>> = {
  ...{ 'flujo.precio': '100,50', 'flujo.cantidad': '3', 'flujo.nombre': 'Lucía Pérez', 'flujo.dia': '2026-11-30' },
  ...{ 'flujo.largo': 'x'.repeat(variableMaxChars), 'contacto.nombre': 'Ana' },
}
const given = { valueOf: (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined), today: '2026-11-25' }
const is = (t: Test, formula: string, wanted: string | undefined) => t.equal(calculate(formula, given), wanted, formula)

t.test('arithmetic follows the usual rules', t => {
  is(t, '1 + 2 * 3', '7')
  is(t, '(1 + 2) * 3', '9')
  is(t, '10 - 4 - 3', '3')
  is(t, '-2 * -3', '6')
  is(t, '0.1 + 0.2', '0.3')
  is(t, '7 % 4', '3')
  is(t, 'flujo.precio * flujo.cantidad', '301.5')
  is(t, 'redondear({{flujo.precio}} * 1.21, 2)', '121.61')
  is(t, 'redondear(2.5) & "/" & redondear(-2.5)', '3/-3')
  is(t, 'min(3, 1, 2) + MAX(3, 1, 2)', '4')
  t.end()
})

t.test('formulas join texts, compare values and choose by a condition', t => {
  is(t, '"Hola " & contacto.nombre', 'Hola Ana')
  is(t, '"Hola " + contacto.nombre', 'Hola Ana')
  is(t, 'flujo.cantidad >= 3 y no falso', 'sí')
  is(t, 'flujo.nombre = "LUCIA PEREZ"', 'sí')
  is(t, '"10" > "9"', 'sí')
  is(t, 'si(flujo.cantidad > 2, "mayor", 1 / 0)', 'mayor')
  is(t, 'if(flujo.nada = "", "sin dato")', 'sin dato')
  is(t, 'si(falso, 1)', '')
  is(t, 'mayusculas(parte(flujo.nombre, 1, 5))', 'LUCÍA')
  is(t, 'reemplazar("a-b-c", "-", "")', 'abc')
  is(t, 'contiene(flujo.nombre, "perez") o falso', 'sí')
  is(t, 'largo("👋🏽")', '2')
  t.end()
})

t.test('formulas count and add calendar days', t => {
  is(t, 'dias(hoy(), flujo.dia)', '5')
  is(t, 'sumar_dias("2028-02-28", 1)', '2028-02-29')
  is(t, 'sumar_dias("2026-02-30", 1)', undefined)
  is(t, 'sumar_dias(hoy(), 9000000000)', '4764-10-22')
  t.end()
})

t.test('a formula without a result gives nothing, not an error', t => {
  for (const formula of ['1 / 0', '"hola" * 2', 'numero("uno")', '-flujo.nombre', '10 % 0', 'abs("")'])
    is(t, formula, undefined)
  t.end()
})

t.test('a syntax error has a position', t => {
  const at = (text: string) => {
    const formula = readFormula(text)
    return formula instanceof FormulaFault ? formula.at : undefined
  }
  t.equal(at('1 + '), 5)
  t.equal(at('1 + # 2'), 5)
  t.equal(at('(1 + 2'), 7)
  t.equal(at('1 2'), 3)
  t.equal(at('"abierto'), 1)
  t.equal(at('evaluar("x")'), 1)
  t.equal(at('dias(hoy())'), 11)
  t.equal(at('constructor("x")'), 1)
  t.equal(at('toString()'), 1)
  t.equal(at('('.repeat(30) + 1), 27)
  t.equal(at('1+'.repeat(formulaMaxChars)), formulaMaxChars + 1)
  t.equal(at(''), 1)
  t.end()
})

t.test('any name is just a variable', t => {
  is(t, 'constructor', '')
  is(t, '__proto__ & toString', '')
  const formula = readFormula('si(flujo.a > 1, "{{flujo.no}}", -contacto.nombre + {{flujo.b}})')
  t.notOk(formula instanceof FormulaFault)
  if (!(formula instanceof FormulaFault)) t.same(formulaVariables(formula), ['flujo.a', 'contacto.nombre', 'flujo.b'])
  t.end()
})

t.test('no result exceeds the length of a variable', t => {
  is(t, 'largo(flujo.largo & flujo.largo)', String(variableMaxChars))
  is(t, 'largo(reemplazar(flujo.largo, "x", flujo.largo))', String(variableMaxChars))
  t.end()
})

t.test('any text is parsed or refused, and its result fits', t => {
  const word = fc.constantFrom(
    ...['1', '2.5', '"a"', "'b'", 'flujo.precio', '{{flujo.largo}}', 'y', 'o', 'no', '(', ')', ',', '+', '-', '*'],
    ...['/', '%', '&', '=', '<>', '<=', '>', 'falso', '#', '"', ...formulaFunctions.map(name => `${name}(`)],
  )
  const written = fc.oneof(
    fc.array(word, { maxLength: 60 }).map(words => words.join(' ')),
    fc.string({ maxLength: 300, unit: 'binary' }),
  )
  fc.assert(
    fc.property(written, text => {
      const formula = readFormula(text)
      const value = calculate(text, given)
      if (formula instanceof FormulaFault)
        return value === undefined && formula.at >= 1 && formula.at <= text.length + 1
      return value === undefined || value.length <= variableMaxChars
    }),
    { numRuns: 5000, seed: 20261125 },
  )
  t.end()
})
