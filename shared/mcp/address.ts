/** Where agents connect (Model Context Protocol, Streamable HTTP). */
export const mcpPath = '/mcp'
