"""A price list whose heads no dictionary knows, and the words by which it is understood."""

HEAD = ["Ref. forn.", "Nome prod.", "PVP c/ iva"]
SHEET = [HEAD, ["AB-10", "Cadeira de jantar", "12,50"], ["AB-20", "Mesa de centro", "99,00"]]
SHEET += [["AB-30", "Banco alto", "49,00"]]
MEANS = ("model", "product_name", "price")
WORDS = [{"kind": "label", "word": word, "means": means} for word, means in zip(HEAD, MEANS, strict=True)]
