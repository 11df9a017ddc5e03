const names = [
  'Lucía Méndez',
  'Martín Acosta',
  'Sofía Herrera',
  'Tomás Giménez',
  'Valentina Ríos',
  'Julián Peralta',
  'Camila Duarte',
  'Facundo Luna',
  'Abril Sosa',
  'Bruno Vega',
  'Milagros Ortiz',
  'Nicolás Ferreyra',
]

/** The last six digits of an ordinary number. Numbers that make sends fail have 1 or 9 there. */
const [lowest, highest] = [200_000, 899_999]

/** A new customer from Buenos Aires. It is random, so call it only in event handlers, not while rendering. */
export function suggestCustomer(taken: readonly { name: string; waId: string }[]): { name: string; number: string } {
  const free = names.filter(name => !taken.some(one => one.name === name))
  const pool = free.length ? free : names
  const pick = (max: number) => Math.floor(Math.random() * max)
  const name = pool[pick(pool.length)] as string
  for (;;) {
    const line = String(lowest + pick(highest - lowest))
    const waId = `5491155${line}`
    if (!taken.some(one => one.waId === waId))
      return { name, number: `+54 9 11 55${line.slice(0, 2)} ${line.slice(2)}` }
  }
}
