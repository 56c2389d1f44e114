type End = () => unknown;

/**
 * Starts several parts that are closed together. `start` registers a function that ends each part as soon as the part
 * has started. `close()`, or a failure of `start`, ends the parts in reverse order. If ending a part fails, the others
 * are still ended.
 */
export async function closeTogether<Running>(
  start: (onClose: (end: End) => void) => Promise<Running>,
): Promise<Running & { close(): Promise<void> }> {
  const ends: End[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const end of ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await start((end) => ends.push(end))), close };
  } catch (error) {
    // Throw the error of `start`, because errors from ending the parts explain less.
    await close().catch(() => undefined);
    throw error;
  }
}
