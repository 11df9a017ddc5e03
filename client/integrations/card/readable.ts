/** Deeper, indentation would be most of the text. */
const maxDepth = 20

const depthOf = (text: string): number => {
  let [depth, most] = [0, 0]
  for (const sign of text) {
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    most = Math.max(most, depth)
  }
  return most
}

/**
 * A body, indented if that shows the same values. As it came: what is no JSON, such as a body that was cut off; what is nested
 * deeply; and what JavaScript reads differently, such as long numbers, `1.10`, or a name that is there twice.
 */
export const readable = (body: string): string => {
  if (depthOf(body) > maxDepth) return body
  try {
    const value: unknown = JSON.parse(body)
    const plain = JSON.stringify(value)
    return plain === body.trim() || JSON.stringify(value, null, 2) === body.trim()
      ? JSON.stringify(value, null, 2)
      : body
  } catch {
    return body
  }
}
