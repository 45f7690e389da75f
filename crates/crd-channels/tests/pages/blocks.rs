//! The fenced blocks of a page.

/// One fenced block.
pub struct Block {
    /// The text between the previous block and this one.
    pub above: String,
    pub language: String,
    pub text: String,
    /// The line of the page where the text begins, counted from 0.
    pub line: usize,
}

impl Block {
    /// Returns the paragraph directly above, in one line.
    pub fn caption(&self) -> String {
        let paragraph = self.above.trim_end().rsplit("\n\n").next();
        paragraph.unwrap_or_default().replace('\n', " ")
    }
}

pub fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut above = String::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                open = Some(Block {
                    above: std::mem::take(&mut above),
                    language: language.to_owned(),
                    text: String::new(),
                    line: number + 1,
                });
            }
            (Some(_), Some(block)) => found.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {
                above.push_str(line);
                above.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}
