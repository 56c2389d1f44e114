type End = () => unknown;

/**
 * Starts something of several parts, each of which says how it is ended as soon as it is there: all of them are, the
 * last first, by `close()`, or at once when a later one fails to start.
 */
export async function closeTogether<Running>(
  start: (onClose: (end: End) => void) => Promise<Running>,
): Promise<Running & { close(): Promise<void> }> {
  const ends: End[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return { ...(await start((end) => ends.push(end))), close };
  } catch (error) {
    await close();
    throw error;
  }
}
