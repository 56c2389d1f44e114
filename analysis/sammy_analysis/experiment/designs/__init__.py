"""The experiment designs: detection from the data, and the effects that each can detect."""
