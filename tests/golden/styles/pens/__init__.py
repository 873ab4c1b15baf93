"""What every style may draw with: faces, pages and their truth, pictures, tables, cards, scans. No look of its own."""
